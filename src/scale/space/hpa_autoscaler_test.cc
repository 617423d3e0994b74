#include "scale/space/hpa_autoscaler.h"

#include <gtest/gtest.h>

#include "scale/space/node_sets.h"
#include "scale/space/space_testing.h"

namespace berth {
namespace {

// Nodes of 4 cpu; `web` takes 1.
class HpaAutoscalerTest : public ::testing::Test {
 protected:
  HpaAutoscalerTest() {
    HpaSettings settings{.target = 0.5};
    for (const ExpanderEntry& entry : BuiltinExpanders()) {
      if (entry.name == "least_waste") settings.expander = &entry;
    }
    autoscaler_ = HpaAutoscaler::Make(settings, {.services = {ServiceOf("web", 1, 1)},
                                                 .types = {TypeOf("n", 4, 8, 0.1)}})
                      .value();
  }

  // Enforced at once: all that is ordered is ready.
  ScalingPlan Decide(double minute, double cpu) {
    MetricTable table;
    table.Add("cpu", 0, {.start = AtMinute(minute), .step = Duration(1), .values = {cpu}});
    ScalingPlan plan = autoscaler_->Decide(AtMinute(minute), state_, table);
    if (!plan.states.empty()) {
      state_ = Running(plan.states.back().instances, plan.states.back().nodes);
    }
    return plan;
  }

  std::unique_ptr<HpaAutoscaler> autoscaler_;
  DeploymentState state_ = Running({4}, {{.type = 0, .count = 1, .instances = {4}}});
};

TEST_F(HpaAutoscalerTest, ATenthMoreOrLessIsLeft) {
  EXPECT_TRUE(Decide(0, 0.55).states.empty());
  EXPECT_TRUE(Decide(1, 0.45).states.empty());
}

// 0.75 / 0.5 x 4 = 6: two pods more than the node holds, so a second one.
TEST_F(HpaAutoscalerTest, PodsThatFindNoRoomBringANode) {
  const ScalingPlan plan = Decide(0, 0.75);
  ASSERT_EQ(plan.states.size(), 1U);
  EXPECT_EQ(plan.states[0].at, AtMinute(0));
  EXPECT_EQ(plan.states[0].instances, (InstanceCounts{6}));
  EXPECT_EQ(plan.states[0].nodes, (NodeSet{{.type = 0, .count = 1, .instances = {4}},
                                           {.type = 0, .count = 1, .instances = {2}}}));
  EXPECT_EQ(plan.states[0].why, "web 4 to 6 (6: 75% of cpu used, 50% aimed at, 6 wanted)");
}

// HPA keeps the count for five minutes; then the node is empty, and goes ten minutes later.
TEST_F(HpaAutoscalerTest, PodsGoAfterTheStabilisationAndNodesAfterBeingUnneeded) {
  Decide(0, 0.75);
  for (int quarter = 1; quarter < 20; ++quarter) {
    EXPECT_TRUE(Decide(quarter / 4.0, 0.25).states.empty()) << quarter;
  }
  Decide(5, 0.25);
  EXPECT_EQ(state_.ready, (InstanceCounts{3}));
  EXPECT_EQ(NodesIn(state_.nodes), 2U);
  for (int quarter = 21; quarter < 60; ++quarter) {
    Decide(quarter / 4.0, 0.5);
    EXPECT_EQ(NodesIn(state_.nodes), 2U) << quarter;
  }
  Decide(15, 0.5);
  EXPECT_EQ(NodesIn(state_.nodes), 1U);
  EXPECT_EQ(state_.ready, (InstanceCounts{3}));
}

TEST_F(HpaAutoscalerTest, LimitsAreTheReasonWhereTheyDecide) {
  const ScalingPlan plan = Decide(0, 60);  // 480 wanted; at most 8 in the first 15 seconds.
  EXPECT_EQ(plan.states.at(0).instances, (InstanceCounts{8}));
  state_ = Running({200}, {{.type = 0, .count = 50, .instances = {4}}});
  EXPECT_EQ(Decide(1, 0.5).states.at(0).why, "web 200 to 100 (its limits)");
}

TEST_F(HpaAutoscalerTest, WithoutMeasurementsAllStaysAndIsNoted) {
  const MetricTable nothing;
  const ScalingPlan plan = autoscaler_->Decide(AtMinute(0), state_, nothing);
  EXPECT_TRUE(plan.states.empty());
  ASSERT_EQ(plan.notes.size(), 1U);
}

}  // namespace
}  // namespace berth
