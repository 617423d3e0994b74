#include "base/virtual_executor.h"

#include <algorithm>
#include <utility>

namespace berth {

void VirtualExecutor::PostAt(Time at, Task task) {
  queue_.Push(std::max(at, now_), std::move(task));
}

std::size_t VirtualExecutor::RunUntil(Time until, std::size_t tasks_max) {
  const std::size_t ran = RunDue(until, tasks_max);
  const bool more_is_due = !queue_.empty() && queue_.next_at() <= until;
  if (!more_is_due) now_ = std::max(now_, until);
  return ran;
}

std::size_t VirtualExecutor::RunUntilIdle(std::size_t tasks_max) {
  return RunDue(Time::max(), tasks_max);
}

std::size_t VirtualExecutor::RunDue(Time until, std::size_t tasks_max) {
  std::size_t ran = 0;
  while (ran < tasks_max && !queue_.empty() && queue_.next_at() <= until) {
    now_ = queue_.next_at();
    queue_.Pop()();
    ++ran;
  }
  return ran;
}

}  // namespace berth
