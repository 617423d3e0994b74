#include "base/thread_executor.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "berth/check.h"

namespace berth {
namespace {

// A task of the far future would overflow the system's finer clock.
constexpr Duration kWaitMax = std::chrono::hours(1);

}  // namespace

Time WallClock() {
  return Time(
      std::chrono::duration_cast<Duration>(std::chrono::system_clock::now().time_since_epoch()));
}

ThreadExecutor::ThreadExecutor() : thread_([this] { Run(); }) {}

ThreadExecutor::~ThreadExecutor() { Stop(); }

Time ThreadExecutor::now() const { return WallClock(); }

void ThreadExecutor::Post(Task task) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return;
  ready_.push_back(std::move(task));
  changed_.notify_one();
}

void ThreadExecutor::PostAt(Time at, Task task) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return;
  later_.Push(at, std::move(task));
  changed_.notify_one();
}

void ThreadExecutor::Stop() {
  BERTH_CHECK(std::this_thread::get_id() != thread_.get_id());
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void ThreadExecutor::Run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    PrepareReady(lock);
    if (stopping_) return;
    Task task = std::move(ready_.front());
    ready_.pop_front();
    lock.unlock();
    task();
    task = nullptr;  // What it holds may post, and that takes the lock.
    lock.lock();
  }
}

// Waits until a task is ready or we are stopping.
void ThreadExecutor::PrepareReady(std::unique_lock<std::mutex>& lock) {
  while (!stopping_) {
    const Time present = now();
    while (!later_.empty() && later_.next_at() <= present) ready_.push_back(later_.Pop());
    if (!ready_.empty()) return;
    if (later_.empty()) {
      changed_.wait(lock);
    } else {
      const Time wake = std::min(later_.next_at(), present + kWaitMax);
      changed_.wait_until(lock, std::chrono::system_clock::time_point(wake.time_since_epoch()));
    }
  }
}

}  // namespace berth
