#include "engine/controller_lease.h"

#include <gtest/gtest.h>

#include "base/virtual_executor.h"
#include "store/memory_store.h"

namespace berth {
namespace {

// Two processes over one store, each with a view of its own.
class LeaseTest : public ::testing::Test {
 protected:
  struct Process {
    Process(Store& store, Executor& executor, const std::string& name)
        : watch(store.WatchFrom(Revision{}, executor,
                                [this](const WatchEvent& event) { view.Apply(*event.committed); })),
          lease(store, executor, view, "oversub", name) {}

    Inventory view;
    std::unique_ptr<Watch> watch;
    ControllerLease lease;
  };

  std::optional<LeaseGuard> Hold(Process& process) {
    std::optional<LeaseGuard> held;
    process.lease.Hold([&](std::optional<LeaseGuard> guard) { held = std::move(guard); });
    executor_.RunUntilIdle();
    return held;
  }
  bool Commits(const LeaseGuard& guard) {
    bool committed = false;
    store_.Commit({.operations = {Put{Tenant{TenantId("t"), {}}}},
                   .seen = a_.view.revision(),
                   .at = executor_.now(),
                   .guard = guard},
                  executor_, [&](const CommitReply& reply) {
                    committed = reply.outcome == CommitReply::Outcome::kCommitted;
                  });
    executor_.RunUntilIdle();
    return committed;
  }

  VirtualExecutor executor_;
  MemoryStore store_;
  Process a_{store_, executor_, "a"};
  Process b_{store_, executor_, "b"};
};

TEST_F(LeaseTest, IsHeldByOneAtATime) {
  const auto held = Hold(a_);
  ASSERT_TRUE(held);
  EXPECT_TRUE(Commits(*held));
  EXPECT_FALSE(Hold(b_));
  EXPECT_EQ(b_.lease.held_until(), executor_.now() + ControllerLease::kLength);
}

TEST_F(LeaseTest, IsRenewedInItsEpochWhileItIsUsed) {
  const auto first = Hold(a_);
  for (int i = 0; i < 10; ++i) {
    executor_.RunUntil(executor_.now() + ControllerLease::kLength / 3);
    const auto again = Hold(a_);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->epoch, first->epoch);
    EXPECT_FALSE(Hold(b_));
  }
}

TEST_F(LeaseTest, PassesOnWhenItRanOutAndTheOldGuardCommitsNothing) {
  const auto old = Hold(a_);
  executor_.RunUntil(executor_.now() + ControllerLease::kLength + std::chrono::seconds(1));
  const auto taken = Hold(b_);
  ASSERT_TRUE(taken);
  EXPECT_GT(taken->epoch, old->epoch);
  EXPECT_FALSE(Commits(*old));
  EXPECT_TRUE(Commits(*taken));
  EXPECT_FALSE(Hold(a_));
}

}  // namespace
}  // namespace berth
