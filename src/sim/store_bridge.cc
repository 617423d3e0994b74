#include "sim/store_bridge.h"

#include <utility>

#include "berth/check.h"

namespace berth {

void StoreBridge::Inbox::Post(Task task) {
  // Told under the lock: whoever takes the last answer may end the bridge at once.
  const std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  arrived_.notify_one();
}

void StoreBridge::Inbox::PostAt(Time /*at*/, Task /*task*/) {
  BERTH_CHECK(false);  // Stores answer as soon as they can; time is not theirs to choose.
}

std::vector<Executor::Task> StoreBridge::Inbox::TakeAll(bool wait) {
  std::unique_lock lock(mutex_);
  if (wait) arrived_.wait(lock, [this] { return !tasks_.empty(); });
  return std::exchange(tasks_, {});
}

StoreBridge::StoreBridge(Store& store, VirtualExecutor& executor)
    : store_(store), executor_(executor) {}

void StoreBridge::Commit(ChangeSet change, Executor& reply_on, CommitDone done) {
  BERTH_CHECK(&reply_on == &executor_);
  store_.Commit(std::move(change), inbox_, Counted<CommitReply>(std::move(done)));
}

void StoreBridge::Read(Executor& reply_on, SnapshotDone done) {
  BERTH_CHECK(&reply_on == &executor_);
  store_.Read(inbox_, Counted<Result<std::shared_ptr<const Inventory>>>(std::move(done)));
}

std::unique_ptr<Watch> StoreBridge::WatchFrom(Revision from, Executor& reply_on, OnEvent on_event) {
  BERTH_CHECK(&reply_on == &executor_);
  return store_.WatchFrom(from, inbox_, std::move(on_event));
}

void StoreBridge::ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) {
  BERTH_CHECK(&reply_on == &executor_);
  store_.ReadDecision(id, inbox_, Counted<Result<Decision>>(std::move(done)));
}

bool StoreBridge::TakeAnswers() {
  bool any = false;
  for (;;) {
    const std::vector<Executor::Task> arrived = inbox_.TakeAll(in_flight_ > 0);
    if (arrived.empty()) return any;
    for (const Executor::Task& task : arrived) task();
    any = true;
  }
}

void StoreBridge::Settle() { SettleUntil(executor_.now()); }

void StoreBridge::SettleUntil(Time until) {
  bool reached = false;
  executor_.PostAt(until, [&reached] { reached = true; });
  for (;;) {
    // What is due now comes first, then the store's answers, and only then does time pass, to the
    // next that is due.
    executor_.RunUntil(executor_.now());
    if (TakeAnswers()) continue;
    if (reached) return;
    executor_.RunUntilIdle(/*tasks_max=*/1);
  }
}

}  // namespace berth
