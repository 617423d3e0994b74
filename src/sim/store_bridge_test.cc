#include "sim/store_bridge.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/virtual_executor.h"
#include "fleet/inventory.h"
#include "store/memory_store.h"

namespace berth {
namespace {

// A store that answers from threads of its own, each call from another and whenever that gets to
// run.
class ThreadedStore final : public Store {
 public:
  ~ThreadedStore() override {
    for (std::thread& thread : threads_) thread.join();
  }
  void Commit(ChangeSet change, Executor& reply_on, CommitDone done) override {
    threads_.emplace_back([this, change = std::move(change), &reply_on, done = std::move(done)] {
      store_.Commit(change, reply_on, done);
    });
  }
  void Read(Executor& reply_on, SnapshotDone done) override {
    threads_.emplace_back(
        [this, &reply_on, done = std::move(done)] { store_.Read(reply_on, done); });
  }
  std::unique_ptr<Watch> WatchFrom(Revision from, Executor& reply_on, OnEvent on_event) override {
    return store_.WatchFrom(from, reply_on, std::move(on_event));
  }
  void ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) override {
    threads_.emplace_back(
        [this, id, &reply_on, done = std::move(done)] { store_.ReadDecision(id, reply_on, done); });
  }

 private:
  MemoryStore store_;
  std::vector<std::thread> threads_;
};

ChangeSet PutTenant(int number, Time at) {
  Tenant tenant;
  tenant.name = TenantId("t" + std::to_string(number));
  ChangeSet change;
  change.operations = {Put{tenant}};
  change.at = at;
  return change;
}

TEST(StoreBridgeThreads, SettlesOnlyWhenEveryCallIsAnswered) {
  constexpr int kCommits = 50;
  VirtualExecutor executor;
  ThreadedStore store;
  StoreBridge bridge(store, executor);
  int seen = 0;
  int answered = 0;
  const auto watch = bridge.WatchFrom(Revision{}, executor, [&](const WatchEvent&) { ++seen; });
  for (int i = 0; i < kCommits; ++i) {
    bridge.Commit(PutTenant(i, executor.now()), executor, [&](const CommitReply& reply) {
      EXPECT_EQ(reply.outcome, CommitReply::Outcome::kCommitted);
      ++answered;
    });
  }
  bridge.Settle();
  EXPECT_EQ(answered, kCommits);
  EXPECT_EQ(seen, kCommits);
}

TEST(StoreBridgeThreads, TimeStandsStillWhileTheStoreWorks) {
  VirtualExecutor executor;
  ThreadedStore store;
  StoreBridge bridge(store, executor);
  std::vector<std::string> order;
  executor.PostAt(TimeFromMicros(10), [&] { order.emplace_back("timer"); });
  bridge.Commit(PutTenant(0, executor.now()), executor, [&](const CommitReply&) {
    EXPECT_EQ(ToMicros(executor.now()), 0);
    order.emplace_back("first");
    bridge.Read(executor, [&](const Result<std::shared_ptr<const Inventory>>& read) {
      EXPECT_TRUE(read.ok());
      EXPECT_EQ(ToMicros(executor.now()), 0);
      order.emplace_back("second");
    });
  });
  bridge.SettleUntil(TimeFromMicros(20));
  EXPECT_EQ(order, (std::vector<std::string>{"first", "second", "timer"}));
  EXPECT_EQ(ToMicros(executor.now()), 20);
}

TEST(StoreBridge, NoTimePassesBeforeTheStoreAnswers) {
  VirtualExecutor executor;
  MemoryStore store;
  StoreBridge bridge(store, executor);
  const Time asked_at = Time() + std::chrono::seconds(10);
  Time answered_at;
  executor.PostAt(asked_at, [&] {
    bridge.Commit(PutTenant(0, executor.now()), executor,
                  [&](const CommitReply&) { answered_at = executor.now(); });
  });
  bridge.SettleUntil(Time() + std::chrono::minutes(1));
  EXPECT_EQ(answered_at, asked_at);
  EXPECT_EQ(executor.now(), Time() + std::chrono::minutes(1));
}

}  // namespace
}  // namespace berth
