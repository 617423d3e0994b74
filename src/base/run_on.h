// Waiting for what happens on an executor's thread. Not to be called from a task of the same.
#pragma once

#include <chrono>
#include <functional>
#include <future>

#include "berth/executor.h"

namespace berth {

// Runs the task there.
inline void RunOn(Executor& executor, const std::function<void()>& task) {
  std::promise<void> done;
  executor.Post([&] {
    task();
    done.set_value();
  });
  done.get_future().wait();
}

// Asks there every few milliseconds, until it holds or so long has passed.
inline void AwaitOn(Executor& executor, Duration most, const std::function<bool()>& holds) {
  constexpr Duration kLookEvery = std::chrono::milliseconds(5);
  std::promise<void> done;
  const Time until = executor.now() + most;
  const std::function<void()> look = [&] {
    if (holds() || executor.now() >= until) return done.set_value();
    executor.PostAt(executor.now() + kLookEvery, look);
  };
  executor.Post(look);
  done.get_future().wait();
}

}  // namespace berth
