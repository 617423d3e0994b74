#include "appsim/app_platform.h"

#include <gtest/gtest.h>

#include "appsim/app_testing.h"

namespace berth {
namespace {

using std::chrono::seconds;

// Orders one state after the other, every ten seconds, and keeps what it was told in between.
class Orders final : public Autoscaler {
 public:
  explicit Orders(std::vector<PlannedState> states) : states_(std::move(states)) {}
  Duration sync_period() const override { return seconds(10); }
  ScalingPlan Decide(Time now, const DeploymentState& state,
                     const MetricSource& /*metrics*/) override {
    seen.push_back(state);
    if (seen.size() > states_.size()) return {};
    PlannedState& next = states_[seen.size() - 1];
    next.at += now.time_since_epoch();
    return {.made = now, .states = {next}};
  }
  std::vector<DeploymentState> seen{};

 private:
  std::vector<PlannedState> states_;
};

// Two services that need a cpu each on nodes of two; two nodes with one of each.
AppModel TwoServices() {
  AppModel model = testing::TreeApp(2, 1, 1);
  for (AppService& service : model.services) {
    service.need = {};
    service.need[Resource::kCpu] = 1000;
    service.boot = {.mean = 1e6};
    service.termination = {.mean = 2e6};
  }
  model.node_types[0].boot = {.mean = 12e6};
  model.node_types[0].termination = {.mean = 3e6};
  model.regions[0].deployment = {{.type = 0, .count = 2, .instances = {1, 1}}};
  model.duration = seconds(60);
  testing::AddLoad(model, {1}, model.duration);
  return model;
}

VmGroup Group(std::uint64_t count, InstanceCounts instances) {
  return {.type = 0, .count = count, .instances = std::move(instances)};
}

TEST(AppPlatform, TellsWhatIsOrderedAndNotWhatGoes) {
  Orders orders(
      {{.nodes = {Group(2, {1, 1}), Group(1, {2, 0})}}, {}, {.nodes = {Group(1, {1, 1})}}});
  ASSERT_TRUE(SimulateApp(TwoServices(), {.autoscaler = &orders}).ok());
  ASSERT_EQ(orders.seen.size(), 6U);
  const DeploymentState& at_first = orders.seen[0];
  EXPECT_EQ(at_first.ready, (InstanceCounts{2, 2}));
  EXPECT_EQ(at_first.nodes, std::vector<VmGroup>{Group(2, {1, 1})});
  const DeploymentState& booting = orders.seen[1];  // The node takes two seconds more.
  EXPECT_EQ(booting.ready, (InstanceCounts{2, 2}));
  EXPECT_EQ(booting.starting, (InstanceCounts{2, 0}));
  EXPECT_EQ(booting.nodes_booting, 1U);
  EXPECT_EQ(booting.nodes, (std::vector<VmGroup>{Group(2, {1, 1}), Group(1, {2, 0})}));
  const DeploymentState& up = orders.seen[2];
  EXPECT_EQ(up.ready, (InstanceCounts{4, 2}));
  EXPECT_EQ(up.nodes_booting, 0U);
  EXPECT_EQ(orders.seen[3].ready, (InstanceCounts{1, 1}));
  EXPECT_EQ(orders.seen[3].nodes, std::vector<VmGroup>{Group(1, {1, 1})});
}

TEST(AppPlatform, NodesOfTheRightTypeGetOtherInstancesBeforeAnyIsOrdered) {
  Orders orders({{.nodes = {Group(1, {2, 0}), Group(1, {0, 2})}}});
  const AppOutcome outcome = SimulateApp(TwoServices(), {.autoscaler = &orders}).value();
  EXPECT_EQ(orders.seen[1].nodes, (std::vector<VmGroup>{Group(1, {0, 2}), Group(1, {2, 0})}));
  EXPECT_EQ(orders.seen[1].ready, (InstanceCounts{2, 2}));    // Booted within ten seconds.
  EXPECT_DOUBLE_EQ(outcome.node_types[0].node_seconds, 120);  // No third node was ever paid.
}

TEST(AppPlatform, AnInstanceWorksUntilItsReplacementIsReady) {
  AppModel model = TwoServices();
  model.regions[0].loads[0].rates = {50};
  model.regions[0].deployment = {Group(1, {1, 1})};
  // Both to a node that is not there yet, then back.
  model.node_types.push_back(model.node_types[0]);
  Orders orders({{.nodes = {{.type = 1, .count = 1, .instances = {1, 1}}}},
                 {},
                 {},
                 {.nodes = {Group(1, {1, 1})}}});
  const AppOutcome outcome = SimulateApp(model, {.autoscaler = &orders}).value();
  EXPECT_EQ(outcome.types[0].Lost(), 0U);
  // From 10 s on the second boots until 22 s, its instances until 23 s; then two for those of the
  // first to finish and three for itself. The same again from 40 s on.
  EXPECT_DOUBLE_EQ(outcome.node_types[0].node_seconds, 28 + 20);
  EXPECT_DOUBLE_EQ(outcome.node_types[1].node_seconds, 48);
}

TEST(AppPlatform, WithoutNodesInstancesGoWhereThereIsRoom) {
  Orders orders({{.instances = {1, 2}}, {.instances = {1, 5}}});
  const AppOutcome outcome = SimulateApp(TwoServices(), {.autoscaler = &orders}).value();
  EXPECT_EQ(orders.seen[1].ready, (InstanceCounts{1, 2}));
  EXPECT_EQ(orders.seen[2].ready, (InstanceCounts{1, 3}));  // Four fit on two nodes.
  EXPECT_EQ(outcome.not_placed, 2U);
}

TEST(AppPlatform, WhatIsDueLaterIsOrderedThen) {
  PlannedState later{.at = Time(seconds(4)), .nodes = {Group(1, {1, 1})}};
  PlannedState too_late{.at = Time(seconds(10)), .nodes = {Group(9, {1, 1})}};
  Orders orders({later, too_late});
  const AppOutcome outcome = SimulateApp(TwoServices(), {.autoscaler = &orders}).value();
  // Of the second node: until 14 s, then two for its instances and three for itself.
  EXPECT_DOUBLE_EQ(outcome.node_types[0].node_seconds, 60 + 19);
}

TEST(AppPlatform, WhatThereIsAtFirstMayHaveToBoot) {
  AppModel model = TwoServices();
  model.deployed_before = false;
  Orders orders({{}, {}});
  const AppOutcome outcome = SimulateApp(model, {.autoscaler = &orders}).value();
  EXPECT_EQ(orders.seen[0].ready, (InstanceCounts{0, 0}));
  EXPECT_EQ(orders.seen[0].nodes_booting, 2U);
  EXPECT_EQ(orders.seen[1].ready, (InstanceCounts{2, 2}));
  EXPECT_GT(outcome.types[0].lost[static_cast<std::size_t>(LossCause::kNoInstance)], 0U);
  EXPECT_DOUBLE_EQ(LatencyOf(outcome, true).MeanSeconds(), 13);
}

}  // namespace
}  // namespace berth
