// The real executor: one thread, the machine's clock.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "base/task_queue.h"
#include "berth/executor.h"

namespace berth {

// The machine's clock. For the outermost layer, such as a progress line: whatever decides is handed
// an Executor.
Time WallClock();

// Tasks run on the executor's own thread, one at a time. What still waits when it stops is dropped.
class ThreadExecutor final : public Executor {
 public:
  ThreadExecutor();
  ThreadExecutor(const ThreadExecutor&) = delete;
  ThreadExecutor& operator=(const ThreadExecutor&) = delete;
  ~ThreadExecutor() override;

  Time now() const override;
  void Post(Task task) override;
  void PostAt(Time at, Task task) override;

  // Waits for the task that runs and ends the thread; later posts are dropped. Not to be called
  // from a task, nor by two threads at once. Calling it again does nothing.
  void Stop();

 private:
  void Run();
  void PrepareReady(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::deque<Task> ready_;  // In posting order, whatever the clock does.
  TaskQueue later_;
  std::thread thread_;  // Last: it uses everything above.
};

}  // namespace berth
