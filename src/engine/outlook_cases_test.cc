// What is foreseen of those that come at the same time.
#include <gtest/gtest.h>

#include "base/virtual_executor.h"
#include "berth/engine.h"
#include "fleet/fleet_testing.h"
#include "oversub/trace_library.h"
#include "store/memory_store.h"

namespace berth {
namespace {

// Each takes half of a machine of 8 cpu, and lives for two hours.
std::shared_ptr<const TraceLibrary> HalvesOfMachines() {
  DemandTrace trace;
  trace.samples.assign(12, Demand(4000, 1024, 0));
  return std::make_shared<const TraceLibrary>(
      TraceLibrary::Build({FitModel(trace)}, {"small"}).value());
}

class OutlookCases : public ::testing::Test {
 protected:
  OutlookCases() {
    engine_.Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    Settle();
    Submit(
        ApplyPolicy{"oversubscription: {cpu: 400%}\n"
                    "oversub: {held_out: {per_cluster: 0}}\n"
                    "allocate: {rules: [violation_probability]}"});
    Settle();
    InstanceType small{
        .name = TypeId("small"), .size = Amounts(4), .skus = {}, .requires_labels = {}};
    Submit(
        ChangeFleet{.put = {Tenant{TenantId("acme"), {}}, small, MachineIn("m0")}, .remove = {}});
    Settle();
  }

  void Settle() { executor_.RunUntil(executor_.now()); }
  void Submit(Action action) {
    engine_.Submit({.what = std::move(action)}, [&](Reply reply) {
      EXPECT_TRUE(reply.accepted()) << reply.status.message();
      replies_.push_back(std::move(reply));
    });
  }

  VirtualExecutor executor_{Time(std::chrono::hours(1000))};
  MemoryStore store_;
  Engine engine_{store_, executor_, {.agents = 2, .demand = HalvesOfMachines()}};
  std::vector<Reply> replies_;
};

// To draw anew for a whole fleet would hold up decisions.
TEST_F(OutlookCases, APolicyThatLooksAheadAsBeforeChangesNothingOfIt) {
  Submit(CreateService{ServiceOf("s0", 1)});
  Settle();
  const Outlook* before = engine_.FollowedOutlook();
  Submit(
      ApplyPolicy{"oversubscription: {cpu: 400%}\n"
                  "oversub: {held_out: {per_cluster: 0}}\n"
                  "allocate: {rules: [violation_probability, best_fit]}"});
  Settle();
  EXPECT_EQ(engine_.FollowedOutlook(), before);
  Submit(CreateService{ServiceOf("s1", 1)});
  Settle();
  EXPECT_GT(replies_.back().decision->placed.front().foreseen->after, 0U);
}

TEST_F(OutlookCases, AnotherOutlookIsDrawnAnew) {
  Submit(CreateService{ServiceOf("s0", 1)});
  Submit(
      ApplyPolicy{"oversubscription: {cpu: 400%}\n"
                  "oversub: {held_out: {per_cluster: 0}, repetitions: 50}\n"
                  "allocate: {rules: [violation_probability]}"});
  Settle();
  Submit(CreateService{ServiceOf("s1", 1)});
  Settle();
  EXPECT_EQ(replies_.back().decision->placed.front().foreseen->futures, 50U);
  EXPECT_GT(replies_.back().decision->placed.front().foreseen->after, 0U);
}

// They are as old as they will be.
TEST_F(OutlookCases, ThoseOfOneRequestSeeEachOther) {
  Submit(CreateService{ServiceOf("s0", 2)});
  Settle();
  const std::vector<Placement>& placed = replies_.back().decision->placed;
  ASSERT_EQ(placed.size(), 2U);
  EXPECT_EQ(placed[0].foreseen->after, 0U);
  EXPECT_EQ(placed[1].foreseen->before, 0U);
  EXPECT_EQ(placed[1].foreseen->after, placed[1].foreseen->futures);
}

// By two agents, neither of which sees what the other does.
TEST_F(OutlookCases, WhatAgentsExceedTogetherIsCounted) {
  Submit(CreateService{ServiceOf("s0", 1)});
  Submit(CreateService{ServiceOf("s1", 1)});
  Settle();
  for (std::size_t i = replies_.size() - 2; i < replies_.size(); ++i) {
    EXPECT_EQ(replies_[i].decision->placed.front().foreseen->after, 0U);
  }
  EXPECT_EQ(engine_.stats().merged, 1U);
  EXPECT_EQ(engine_.stats().exceeded, 1U);
}

TEST_F(OutlookCases, WhatEachExceedsKnowinglyIsNot) {
  Submit(CreateService{ServiceOf("s0", 1)});
  Settle();
  Submit(CreateService{ServiceOf("s1", 1)});
  Submit(CreateService{ServiceOf("s2", 1)});
  Settle();
  EXPECT_GT(replies_.back().decision->placed.front().foreseen->after, 0U);
  EXPECT_EQ(engine_.stats().merged, 1U);
  EXPECT_EQ(engine_.stats().exceeded, 0U);
}

TEST_F(OutlookCases, NorIsWhatAMachineHasRoomFor) {
  Machine large = MachineIn("m0");
  large.capacity = Amounts(16, 32);
  Submit(ChangeFleet{.put = {large}, .remove = {}});
  Settle();
  Submit(CreateService{ServiceOf("s0", 1)});
  Submit(CreateService{ServiceOf("s1", 1)});
  Settle();
  EXPECT_EQ(engine_.stats().merged, 1U);
  EXPECT_EQ(engine_.stats().exceeded, 0U);
}

}  // namespace
}  // namespace berth
