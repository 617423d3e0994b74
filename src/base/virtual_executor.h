// The virtual clock and event kernel: time passes only when nothing is left to do at the present.
#pragma once

#include <cstddef>
#include <limits>
#include <utility>

#include "base/task_queue.h"
#include "berth/executor.h"

namespace berth {

// Runs tasks by (time, posting), so that one seed gives one history. Single-threaded: everything it
// serves is driven by the thread that calls Run, including whoever posts.
class VirtualExecutor final : public Executor {
 public:
  static constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();

  explicit VirtualExecutor(Time start = {}) : now_(start) {}

  Time now() const override { return now_; }
  void Post(Task task) override { PostAt(now_, std::move(task)); }
  // A time that has passed means now: the clock never goes back.
  void PostAt(Time at, Task task) override;

  // Runs what is due up to and including `until`, then sets the clock there. Answers how many tasks
  // ran; at `tasks_max` it stops, the clock at the last of them.
  std::size_t RunUntil(Time until, std::size_t tasks_max = kUnbounded);
  // Runs until nothing waits; the clock stays at the last task.
  std::size_t RunUntilIdle(std::size_t tasks_max = kUnbounded);

  std::size_t waiting() const { return queue_.size(); }

 private:
  std::size_t RunDue(Time until, std::size_t tasks_max);

  Time now_;
  TaskQueue queue_;
};

}  // namespace berth
