#include "scale/space/space_autoscaler.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "scale/space/node_sets.h"
#include "scale/space/space_testing.h"

namespace berth {
namespace {

using std::chrono::minutes;

std::unique_ptr<SpaceAutoscaler> MadeOf(std::string_view text, ScaledApplication application) {
  auto policy = ParseSpacePolicy(text, "policy.yaml");
  EXPECT_TRUE(policy.ok()) << policy.status().message();
  auto made = SpaceAutoscaler::Make(std::move(policy).value(), std::move(application));
  EXPECT_TRUE(made.ok()) << made.status().message();
  return std::move(made).value();
}

MetricTable LoadOf(std::vector<double> values) {
  MetricTable table;
  table.Add("load", 0, MinuteSeries(std::move(values)));
  return table;
}

constexpr std::string_view kByLoad = R"(
step: 1m
horizon: 6m
services:
  default:
    max: 50
    groups:
      - name: load
        calculator: {name: per_instance, metric: load, target: 10}
        metrics:
          - {name: load, forecaster: {name: seasonal_naive, seasons: [8], history: 1h}}
)";

// Every eighth minute, and the one after it, brings 70 requests; else there are 18.
std::vector<double> Spikes(int minutes_long) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(minutes_long));
  for (int i = 0; i < minutes_long; ++i) values.push_back(i % 8 < 2 ? 70 : 18);
  return values;
}

// The spike at the minutes 32 and 33 is foreseen at 30; an instance takes two minutes to boot, so
// 7 are ordered at once and kept until the spike is over.
TEST(SpaceAutoscaler, OrdersAheadByTheTimeToBoot) {
  const auto autoscaler = MadeOf(kByLoad, {.services = {ServiceOf("web", 1, 1, minutes(2))}});
  const ScalingPlan plan = autoscaler->Decide(AtMinute(30), Running({2}), LoadOf(Spikes(30)));
  ASSERT_EQ(plan.states.size(), 2U);
  EXPECT_EQ(plan.states[0].at, AtMinute(30));
  EXPECT_EQ(plan.states[0].instances, (InstanceCounts{7}));
  EXPECT_EQ(plan.states[0].why, "web 2 to 7 (load 70, 10 an instance)");
  EXPECT_EQ(plan.states[1].at, AtMinute(34));
  EXPECT_EQ(plan.states[1].instances, (InstanceCounts{2}));
  EXPECT_TRUE(plan.states[0].nodes.empty());
}

TEST(SpaceAutoscaler, WithoutBootingItOrdersWhenItIsNeeded) {
  const auto autoscaler = MadeOf(kByLoad, {.services = {ServiceOf("web", 1, 1)}});
  const ScalingPlan plan = autoscaler->Decide(AtMinute(30), Running({2}), LoadOf(Spikes(30)));
  ASSERT_EQ(plan.states.size(), 2U);
  EXPECT_EQ(plan.states[0].at, AtMinute(32));
  EXPECT_EQ(plan.states[1].at, AtMinute(34));
}

TEST(SpaceAutoscaler, ABootLongerThanTheHorizonIsNoted) {
  const auto autoscaler = MadeOf(kByLoad, {.services = {ServiceOf("web", 1, 1, minutes(9))}});
  const ScalingPlan plan = autoscaler->Decide(AtMinute(30), Running({2}), LoadOf(Spikes(30)));
  ASSERT_EQ(plan.notes.size(), 1U);
  EXPECT_EQ(plan.notes[0], "web: web takes 9m to come, longer than the horizon of 6m; raise it");
}

TEST(SpaceAutoscaler, NothingIsDecidedWhileItWarmsUpOrNothingIsKnown) {
  const auto autoscaler = MadeOf(std::string("warm_up: 2m\n") + std::string(kByLoad),
                                 {.services = {ServiceOf("web", 1, 1)}});
  EXPECT_EQ(autoscaler->Decide(AtMinute(10), Running({2}), LoadOf(Spikes(10))).notes,
            std::vector<std::string>{"warming up until 12m"});
  const ScalingPlan plan = autoscaler->Decide(AtMinute(12), Running({2}), MetricTable());
  EXPECT_TRUE(plan.states.empty());
  ASSERT_EQ(plan.notes.size(), 1U);
  EXPECT_EQ(plan.notes[0], "web: group load: there is no metric 'load'; the metrics are ");
}

constexpr std::string_view kHybrid = R"(
step: 1m
horizon: 3m
sync: 1m
services:
  default:
    max: 10
    above_max: BEHAVIOUR
    buffer: 50%
    groups:
      - name: load
        calculator: {name: per_instance, metric: load, target: 10}
        metrics: [{name: load}]
    reactive:
      - name: cpu
        calculator: {name: ratio, metric: cpu, target: 0.5}
        metrics: [{name: cpu}]
)";

class HybridTest : public ::testing::Test {
 protected:
  // What is ordered now of a service with 4 instances that answer.
  std::uint32_t Ordered(std::string_view behaviour, double load, double cpu) {
    std::string text(kHybrid);
    text.replace(text.find("BEHAVIOUR"), 9, behaviour);
    const auto autoscaler = MadeOf(text, {.services = {ServiceOf("web", 1, 1)}});
    MetricTable table = LoadOf({load});
    table.Add("cpu", 0, MinuteSeries({cpu}));
    plan_ = autoscaler->Decide(AtMinute(1), Running({4}), table);
    return plan_.states.empty() ? 4 : plan_.states.front().instances[0];
  }
  ScalingPlan plan_;
};

TEST_F(HybridTest, WhatIsForeseenIsTheFloorAndWhatIsMeasuredOnlyAdds) {
  EXPECT_EQ(Ordered("enforce", 60, 0.1), 6U);  // By cpu, 0.8.
  EXPECT_EQ(Ordered("enforce", 20, 1.0), 8U);  // 1.0 / 0.5 x 4.
  EXPECT_EQ(plan_.states[0].why, "web 4 to 8 (measured: cpu 1 of 4, 0.5 aimed at)");
  // After the next decision's time only what is foreseen is planned.
  ASSERT_EQ(plan_.states.size(), 2U);
  EXPECT_EQ(plan_.states[1].at, AtMinute(2));
  EXPECT_EQ(plan_.states[1].instances, (InstanceCounts{2}));
}

TEST_F(HybridTest, TheMaxStaysOrIsRaisedToWhatIsForeseenOrAboveThat) {
  EXPECT_EQ(Ordered("enforce", 200, 4.0), 10U);
  EXPECT_EQ(Ordered("forecast", 200, 4.0), 20U);
  EXPECT_EQ(Ordered("buffer", 200, 4.0), 30U);  // 20 and half as many more; cpu wants 32.
  // Below the max nothing is raised.
  EXPECT_EQ(Ordered("forecast", 60, 4.0), 10U);
}

// `web` on small nodes of two, or large ones of eight.
class SpaceNodesTest : public ::testing::Test {
 protected:
  static constexpr std::string_view kNodes = R"(
step: 1m
horizon: 3m
sync: 1m
services:
  default:
    max: 100
    groups:
      - name: load
        calculator: {name: per_instance, metric: load, target: 10}
        metrics: [{name: load}]
nodes:
)";
  SpaceNodesTest()
      : application_{.services = {ServiceOf("web", 1, 1, minutes(1))},
                     .types = {TypeOf("small", 2, 4, 0.1, minutes(1)),
                               TypeOf("large", 8, 16, 0.3, minutes(1))}} {}

  void Use(std::string_view nodes) {
    autoscaler_ = MadeOf(std::string(kNodes) + std::string(nodes), application_);
  }
  ScalingPlan Decide(double minute, const DeploymentState& state, double load) {
    return autoscaler_->Decide(AtMinute(minute), state, LoadOf({load, load}));
  }

  ScaledApplication application_;
  std::unique_ptr<SpaceAutoscaler> autoscaler_;
};

// The new node is up after two minutes; until then the old ones stay, seen as leaving by the next
// decisions, which order nothing twice.
TEST_F(SpaceNodesTest, SubstitutedNodesStayUntilTheNewOnesAreUpAndThenGo) {
  Use("  {placing: shared, lifetime: 1h}");
  const NodeSet old = {{.type = 0, .count = 3, .instances = {2}}};
  const NodeSet anew = {{.type = 1, .count = 1, .instances = {8}}};
  const ScalingPlan first = Decide(1, Running({6}, old), 80);
  ASSERT_EQ(first.states.size(), 2U);
  EXPECT_EQ(first.states[0].nodes, Joined(old, anew));
  EXPECT_EQ(first.states[0].instances, (InstanceCounts{14}));
  EXPECT_EQ(first.states[0].why, "web 6 to 8 (load 80, 10 an instance)");
  EXPECT_EQ(first.states[1].why, "-3 p/small");
  EXPECT_EQ(first.states[1].at, AtMinute(3));
  EXPECT_EQ(first.states[1].nodes, anew);
  EXPECT_EQ(first.states[1].instances, (InstanceCounts{8}));

  DeploymentState both{
      .ready = {6}, .starting = {8}, .nodes = Joined(old, anew), .nodes_booting = 1};
  const ScalingPlan second = Decide(2, both, 80);
  ASSERT_EQ(second.states.size(), 1U);
  EXPECT_EQ(second.states[0].at, AtMinute(3));
  EXPECT_EQ(second.states[0].nodes, anew);

  // They are late: nothing goes before they answer.
  both.nodes_booting = 0;
  const ScalingPlan late = Decide(3, both, 80);
  EXPECT_EQ(late.notes,
            std::vector<std::string>{"substituted nodes stay: the new ones are not up yet"});
  ASSERT_EQ(late.states.size(), 1U);
  EXPECT_EQ(late.states[0].at, AtMinute(4));

  const ScalingPlan gone = Decide(4, Running({14}, Joined(old, anew)), 80);
  ASSERT_EQ(gone.states.size(), 1U);
  EXPECT_EQ(gone.states[0].at, AtMinute(4));
  EXPECT_EQ(gone.states[0].nodes, anew);
  EXPECT_TRUE(Decide(5, Running({8}, anew), 80).states.empty());
}

TEST_F(SpaceNodesTest, NoNodeGoesWhileItCoolsDown) {
  Use("  {placing: sole_instance, cooldown: 10m}");
  const NodeSet two = {{.type = 0, .count = 2, .instances = {1}}};
  // The two nodes have room for two more; the other four bring a node each.
  const ScalingPlan grown = Decide(1, Running({2}, two), 80);
  ASSERT_EQ(grown.states.size(), 1U);
  const NodeSet six = grown.states[0].nodes;
  EXPECT_EQ(NodesIn(six), 6U);
  const ScalingPlan shrunk = Decide(2, Running({8}, six), 10);
  ASSERT_EQ(shrunk.states.size(), 1U);
  EXPECT_EQ(shrunk.states[0].instances, (InstanceCounts{1}));
  EXPECT_EQ(NodesIn(shrunk.states[0].nodes), 6U);
  const ScalingPlan later = Decide(11, Running({1}, shrunk.states[0].nodes), 10);
  ASSERT_FALSE(later.states.empty());
  EXPECT_EQ(NodesIn(later.states[0].nodes), 1U);
}

TEST_F(SpaceNodesTest, HardBoundsHoldWhateverIsForeseen) {
  Use("  {placing: shared, bounds: {cost_per_hour: 0.65, nodes: 5}}");
  const ScalingPlan plan =
      Decide(1, Running({2}, {{.type = 0, .count = 1, .instances = {2}}}), 900);
  ASSERT_FALSE(plan.states.empty());
  for (const PlannedState& state : plan.states) {
    EXPECT_LE(HourMicrosOf(state.nodes, application_.types), 650'000);
    EXPECT_LE(NodesIn(state.nodes), 5U);
  }
  EXPECT_EQ(plan.states[0].instances, (InstanceCounts{14}));  // A large one and three small.
  EXPECT_EQ(plan.notes, std::vector<std::string>{"held back by the bounds of nodes or cost"});
}

TEST_F(SpaceNodesTest, WhatCannotBeScaledIsRefused) {
  const auto refused = [&](std::string_view nodes) {
    auto policy = ParseSpacePolicy(std::string(kNodes) + std::string(nodes), "p").value();
    return SpaceAutoscaler::Make(std::move(policy), application_).status().message();
  };
  EXPECT_EQ(refused("  {special: {web: [p/huge]}}"),
            "there is no node type 'p/huge'; the types are p/small, p/large");
  application_.services[0].need = CpuAndMemory(9, 1);
  EXPECT_EQ(refused("  {}"),
            "web: no node type holds an instance of 9 cpu, 1Gi memory; add a larger type");
  application_.services[0].need = {};
  EXPECT_EQ(refused("  {}"),
            "web needs no resources, so it cannot be placed; say what an instance needs");
}

TEST(SpaceAutoscaler, EveryServiceNeedsAPolicy) {
  std::string text(kByLoad);
  text.replace(text.find("default"), 7, "web");
  const auto make = [&](std::string service) {
    return SpaceAutoscaler::Make(ParseSpacePolicy(text, "p").value(),
                                 {.services = {ServiceOf(std::move(service), 1, 1)}})
        .status()
        .message();
  };
  EXPECT_EQ(make("web"), "");
  EXPECT_EQ(make("search"), "the policy scales 'web', which the application does not have");
}

// An attacker sends ten minutes of load in every twenty. What a day costs, and how much of it goes
// unserved, with nodes paid from when they are ordered.
struct AttackBill {
  double cost = 0;
  double attack_served = 0;
};

AttackBill BillOfAttack(std::string_view bursts) {
  const auto autoscaler = MadeOf(
      fmt::format(R"(
step: 1m
horizon: 5m
sync: 1m
services:
  default:
    max: 100
    groups:
      - name: load
        calculator: {{name: per_instance, metric: load, target: 10}}
        stabiliser: {{name: max, every: 5m}}
        metrics: [{{name: load}}]
{}nodes: {{placing: shared, cooldown: 10m}}
)",
                  bursts),
      {.services = {ServiceOf("web", 1, 1)}, .types = {TypeOf("small", 2, 4, 0.1, minutes(1))}});
  DeploymentState state = Running({2}, {{.type = 0, .count = 1, .instances = {2}}});
  AttackBill bill;
  std::vector<double> load;
  for (int minute = 0; minute < 24 * 60; ++minute) {
    const bool attacked = minute >= 60 && minute % 20 < 10;
    load.push_back(attacked ? 200 : 20);
    bill.attack_served += attacked ? std::min(200.0, 10.0 * state.ready[0]) : 0;
    const ScalingPlan plan = autoscaler->Decide(AtMinute(minute + 1), state, LoadOf(load));
    if (const PlannedState* next = plan.states.empty() ? nullptr : &plan.states.front();
        next != nullptr && next->at == AtMinute(minute + 1)) {
      state = Running(next->instances, next->nodes);
    }
    bill.cost += static_cast<double>(NodesIn(state.nodes)) * 0.1 / 60;
  }
  return bill;
}

TEST(YoYoAttack, CostsAThirdLessWithBurstsHeld) {
  const AttackBill open = BillOfAttack("");
  const AttackBill held = BillOfAttack("    bursts: {hold: 2m, hold_max: 30m, memory: 6h}\n");
  RecordProperty("bill", fmt::format("{:.2f}", open.cost));
  RecordProperty("bill_held", fmt::format("{:.2f}", held.cost));
  EXPECT_LT(held.cost, 0.65 * open.cost);
  EXPECT_LT(held.attack_served, open.attack_served);
  EXPECT_GT(held.attack_served, 0.25 * open.attack_served);  // The average is still there.
}

// Load that grows for good is only late: after the first bursts it is served within hold_max.
TEST(YoYoAttack, LastingGrowthIsServedAfterTheHold) {
  BurstGuard guard({.hold = minutes(2), .hold_max = minutes(30), .memory = std::chrono::hours(6)});
  int minute = 0;
  for (; minute < 200; ++minute) guard.See(AtMinute(minute), minute % 20 < 10 ? 20 : 2);
  int held = 0;
  for (; minute < 400; ++minute) held += guard.See(AtMinute(minute), 20) ? 1 : 0;
  EXPECT_GT(held, 0);
  EXPECT_LE(held, 30);
}

TEST(SpaceAutoscaler, WhatWasLearnedIsRestored) {
  constexpr std::string_view kLearning = R"(
step: 1m
horizon: 2m
services:
  default:
    groups:
      - name: learned
        calculator:
          name: learning
          model: sgd
          objective: {metric: response_time, at_most: 0.2, of: service}
          fallback: {name: ratio, metric: cpu, target: 0.5}
        metrics: [{name: cpu}]
)";
  const ScaledApplication application{.services = {ServiceOf("web", 1, 1)}};
  const auto first = MadeOf(kLearning, application);
  for (int i = 1; i < 200; ++i) {
    MetricTable table;
    table.Add("cpu", 0, MinuteSeries({0.2 + 0.01 * (i % 30)}));
    table.Add("response_time", 0, MinuteSeries({0.1 + 0.02 * (i % 30)}));
    first->Decide(AtMinute(i), Running({4}), table);
  }
  const auto second = MadeOf(kLearning, application);
  EXPECT_NE(second->SaveLearned(), first->SaveLearned());
  ASSERT_TRUE(second->RestoreLearned(first->SaveLearned()).ok());
  EXPECT_EQ(second->SaveLearned(), first->SaveLearned());
  EXPECT_FALSE(second->RestoreLearned("").ok());
  EXPECT_EQ(second->SaveLearned(), first->SaveLearned());
}

}  // namespace
}  // namespace berth
