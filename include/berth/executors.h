// The executors there are: one for rehearsals and tests, one to run live.
//
// What is driven by an executor, an engine above all, is called on its thread: post to it from
// others.
#pragma once

#include <cstddef>
#include <memory>

#include "berth/executor.h"

namespace berth {

// Its time passes only while it is run, by the one thread that uses it, so that the same inputs
// give the same history. For stores without threads of their own: "memory".
class RunnableExecutor : public Executor {
 public:
  // Runs until nothing waits. Answers how many tasks ran.
  virtual std::size_t RunUntilIdle() = 0;
};
std::unique_ptr<RunnableExecutor> NewVirtualExecutor();

// A thread of its own and the machine's clock. Destroying it waits for the task that runs; what
// still waits is dropped.
std::unique_ptr<Executor> NewThreadExecutor();

}  // namespace berth
