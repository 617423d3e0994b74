// Where Berth's objects get the time and run their callbacks.
//
// Agents, stores and controllers never block, sleep or read a clock: they are handed an Executor.
// Live, each thread has a real one; in rehearsal one virtual executor serves all, which is why the
// same code runs in both and why many agents are deterministic there.
#pragma once

#include <functional>

#include "berth/time.h"

namespace berth {

class Executor {
 public:
  using Task = std::function<void()>;

  virtual ~Executor() = default;
  virtual Time now() const = 0;
  // Runs `task` soon, after the current task, in posting order. Callable from any thread.
  virtual void Post(Task task) = 0;
  // Runs `task` when now() >= at. Callable from any thread. Equal times run in posting order.
  virtual void PostAt(Time at, Task task) = 0;
};

}  // namespace berth
