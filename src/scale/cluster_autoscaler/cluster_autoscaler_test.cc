// The Cluster Autoscaler's estimator and expanders, and replays with them. Its removals are in
// scale_down_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "scale/capacity/capacity_testing.h"
#include "scale/capacity/vm_count.h"
#include "scale/cluster_autoscaler/expander.h"
#include "scale/cluster_autoscaler/replay.h"

namespace berth {
namespace {

// Eq. 2.16: 3/4 + 2/8.
TEST(NodeEstimate, TheScoreIsThatOfTheFormula) {
  EXPECT_DOUBLE_EQ(PodScore(CpuAndMemory(3, 2), CpuAndMemory(4, 8)), 1.0);
  EXPECT_DOUBLE_EQ(PodScore(CpuAndMemory(1, 8), CpuAndMemory(4, 8)), 1.25);
  EXPECT_DOUBLE_EQ(PodScore(CpuAndMemory(1, 0), CpuAndMemory(4, 0)), 0.25);
}

// Nodes of 4 and 4. Scores: small 0.5, wide 1.25, tall 1. Wide (3, 2) twice opens two nodes, tall
// (1, 3) does not fit beside it and opens a third, small (1, 1) fills the first.
TEST(NodeEstimate, TheLargestPodsComeFirstOntoTheFirstNodeWithRoom) {
  const std::vector<VmType> types = {TypeOf("n", 4, 4, 1)};
  const std::vector<InstanceDemand> demands = {
      DemandOf("small", 1, 1, 0), DemandOf("wide", 3, 2, 0), DemandOf("tall", 1, 3, 0)};
  const NodeEstimate estimate = EstimateNodes(demands, {1, 2, 1}, types, 0);
  EXPECT_EQ(estimate.nodes, (std::vector<InstanceCounts>{{1, 1, 0}, {0, 1, 0}, {0, 0, 1}}));
  EXPECT_EQ(estimate.placed, (InstanceCounts{1, 2, 1}));
}

TEST(NodeEstimate, PodsThatFitNowhereAreLeftOut) {
  const std::vector<VmType> types = {TypeOf("n", 4, 4, 1)};
  const std::vector<InstanceDemand> demands = {DemandOf("huge", 5, 1, 0), DemandOf("web", 2, 1, 0)};
  const NodeEstimate estimate = EstimateNodes(demands, {3, 3}, types, 0);
  EXPECT_EQ(estimate.nodes.size(), 2U);
  EXPECT_EQ(estimate.placed, (InstanceCounts{0, 3}));
}

// Pod by pod: the slow and obvious first fit.
std::vector<Resources> FirstFit(const std::vector<InstanceDemand>& demands,
                                const InstanceCounts& pending, const Resources& capacity) {
  std::vector<Resources> pods;
  for (std::size_t s = 0; s < demands.size(); ++s) {
    if (demands[s].need.FitsIn(capacity)) pods.insert(pods.end(), pending[s], demands[s].need);
  }
  std::ranges::stable_sort(pods, std::ranges::greater{},
                           [&](const Resources& pod) { return PodScore(pod, capacity); });
  std::vector<Resources> free;
  for (const Resources& pod : pods) {
    const auto node =
        std::ranges::find_if(free, [&](const Resources& room) { return pod.FitsIn(room); });
    if (node == free.end()) {
      free.push_back(capacity - pod);
    } else {
      *node -= pod;
    }
  }
  return free;
}

TEST(NodeEstimate, IsThatOfOnePodAfterAnother) {
  Rng rng(2);
  for (int round = 0; round < 500; ++round) {
    const auto draw = [&](std::uint64_t most) {
      return static_cast<std::int64_t>(1 + rng.Below(most));
    };
    std::vector<InstanceDemand> demands;
    InstanceCounts pending;
    for (std::uint64_t s = 0; s < 1 + rng.Below(4); ++s) {
      demands.push_back(DemandOf("s", draw(6), draw(6), 0));
      pending.push_back(static_cast<std::uint32_t>(rng.Below(9)));
    }
    const std::vector<VmType> types = {TypeOf("n", draw(12), draw(12), 1)};
    const NodeEstimate estimate = EstimateNodes(demands, pending, types, 0);
    const std::vector<Resources> free = FirstFit(demands, pending, types[0].capacity);
    ASSERT_EQ(estimate.nodes.size(), free.size());
    for (std::size_t n = 0; n < free.size(); ++n) {
      EXPECT_EQ(types[0].capacity - ResourcesOf(demands, estimate.nodes[n]), free[n]);
    }
  }
}

class Expanders : public ::testing::Test {
 protected:
  // Of `web`, 1 cpu and 1 GiB, three pods wait; of `db`, 3 cpu and 1 GiB, one.
  // narrow 2, 8: two nodes for web (3 of 4 cpu, 3 of 16 GiB), none for db; 1.0 in all.
  // square 4, 4: two nodes for all (6 of 8 cpu, 4 of 8 GiB); 3.6 in all.
  // large 8, 16: one node for all (6 of 8 cpu, 4 of 16 GiB); 4 in all.
  Expanders() {
    types_[2].priority = 9;
    for (std::size_t t = 0; t < types_.size(); ++t) {
      options_.push_back(EstimateNodes(demands_, {3, 1}, types_, t));
    }
  }

  std::string Chosen(std::string_view name, std::uint64_t seed = 1) {
    const auto all = BuiltinExpanders();
    const auto entry = std::ranges::find(all, name, &ExpanderEntry::name);
    EXPECT_NE(entry, all.end());
    Rng rng(seed);
    return types_[BestOption(*entry, {demands_, types_, options_}, rng).type].name;
  }

  std::vector<InstanceDemand> demands_ = {DemandOf("web", 1, 1, 0), DemandOf("db", 3, 1, 0)};
  std::vector<VmType> types_ = {TypeOf("narrow", 2, 8, 0.5), TypeOf("square", 4, 4, 1.8),
                                TypeOf("large", 8, 16, 4)};
  std::vector<NodeEstimate> options_;
};

TEST_F(Expanders, MostPods) { EXPECT_EQ(Chosen("most_pods"), "square"); }  // Before its equal.

// Free shares: narrow 1/4 + 13/16, square 2/8 + 4/8, large 2/8 + 12/16.
TEST_F(Expanders, LeastWaste) { EXPECT_EQ(Chosen("least_waste"), "square"); }

// In shares of 8 and 16: a web 0.1875, a db 0.4375. Narrow 1.0 / 0.5625 = 1.78, square 3.6 / 1 =
// 3.6, large 4 / 1 = 4.
TEST_F(Expanders, Price) { EXPECT_EQ(Chosen("price"), "narrow"); }

TEST_F(Expanders, Priority) { EXPECT_EQ(Chosen("priority"), "large"); }

TEST_F(Expanders, RandomTakesEachAsOften) {
  int narrow = 0;
  for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
    narrow += Chosen("random", seed) == "narrow" ? 1 : 0;
  }
  EXPECT_NEAR(narrow, 1'000, 100);
}

const ExpanderEntry& LeastWaste() {
  const auto all = BuiltinExpanders();
  return *std::ranges::find(all, "least_waste", &ExpanderEntry::name);
}

// Nodes of 2 at 1 an hour, hours as steps. Four pods take two nodes. Then two are left, on the
// first: the second is empty and goes after ten minutes. Then three again: one more.
TEST(AutoscalerReplay, NodesArePaidUntilTheyGo) {
  const std::vector<VmType> types = {TypeOf("n", 2, 2, 1)};
  const std::vector<InstanceDemand> demands = {DemandOf("web", 1, 1, 0)};
  const std::vector<InstanceCounts> wanted = {{4}, {2}, {3}};
  const AutoscalerRun run = ReplayClusterAutoscaler(LeastWaste(), demands, types, wanted,
                                                    std::chrono::hours(1), {}, Rng(1));
  EXPECT_NEAR(run.cost_micros / 1e6, 2 + (1 + 1.0 / 6) + 2, 1e-9);
  EXPECT_EQ(run.nodes_peak, 2U);
  EXPECT_EQ(run.nodes_added, 3U);
  EXPECT_EQ(run.nodes_removed, 1U);
}

// With an hour to wait, the second node is still there in the third step.
TEST(AutoscalerReplay, WhatIsNeededAgainInTimeStays) {
  const std::vector<VmType> types = {TypeOf("n", 2, 2, 1)};
  const std::vector<InstanceDemand> demands = {DemandOf("web", 1, 1, 0)};
  const std::vector<InstanceCounts> wanted = {{4}, {2}, {3}};
  const ScaleDownSettings settings{.unneeded_time = std::chrono::minutes(60)};
  const AutoscalerRun run = ReplayClusterAutoscaler(LeastWaste(), demands, types, wanted,
                                                    std::chrono::hours(1), settings, Rng(1));
  EXPECT_NEAR(run.cost_micros / 1e6, 6, 1e-9);
  EXPECT_EQ(run.nodes_removed, 0U);
}

// A node a pod. Of three pods one is left, and all three nodes.
TEST(AutoscalerReplay, KeptTypesStay) {
  std::vector<VmType> types = {TypeOf("n", 2, 2, 1)};
  const std::vector<InstanceDemand> demands = {DemandOf("web", 2, 2, 0)};
  const std::vector<InstanceCounts> wanted = {{3}, {1}};
  types[0].keep = true;
  const AutoscalerRun run = ReplayClusterAutoscaler(LeastWaste(), demands, types, wanted,
                                                    std::chrono::hours(1), {}, Rng(1));
  EXPECT_NEAR(run.cost_micros / 1e6, 6, 1e-9);
  EXPECT_EQ(run.nodes_removed, 0U);
}

// Nodes of two pods.
TEST(AutoscalerReplay, BlockingPodsKeepTheirNodeAndNoOther) {
  const std::vector<VmType> types = {TypeOf("n", 2, 2, 1)};
  const std::vector<InstanceDemand> demands = {DemandOf("web", 1, 1, 0),
                                               DemandOf("system", 1, 1, 0)};
  const std::vector<InstanceCounts> wanted = {{3, 1}, {1, 1}, {0, 1}};
  // Two nodes: {2, 0} and {1, 1}; then {1, 0} and {0, 1}: either could be drained onto the other.
  for (const bool blocks : {false, true}) {
    const ScaleDownSettings settings{.blocking = {false, blocks}};
    const AutoscalerRun run = ReplayClusterAutoscaler(LeastWaste(), demands, types, wanted,
                                                      std::chrono::hours(1), settings, Rng(1));
    EXPECT_EQ(run.nodes_removed, 1U) << blocks;
    EXPECT_NEAR(run.cost_micros / 1e6, 2 + (1 + 1.0 / 6) + 1, 1e-9) << blocks;
  }
  // Where every pod blocks, a node goes only when it is empty: at once, as its pods have fitted
  // elsewhere since an hour.
  const ScaleDownSettings all{.blocking = {true, true}};
  const AutoscalerRun run = ReplayClusterAutoscaler(LeastWaste(), demands, types, wanted,
                                                    std::chrono::hours(1), all, Rng(1));
  EXPECT_EQ(run.nodes_removed, 1U);
  EXPECT_NEAR(run.cost_micros / 1e6, 2 + 2 + 1, 1e-9);
}

// Half an hour in, the first of two nodes fails: its pods go to a third, and it is removed 20
// minutes later, though it was unneeded for long enough after ten.
TEST(AutoscalerReplay, NodesThatFailAreReplacedAndGo) {
  std::vector<VmType> types = {TypeOf("n", 2, 2, 1)};
  types[0].unready_nodes = 1;
  types[0].unready_after = std::chrono::minutes(30);
  const std::vector<InstanceDemand> demands = {DemandOf("web", 1, 1, 0)};
  const std::vector<InstanceCounts> wanted = {{4}, {4}};
  const AutoscalerRun run = ReplayClusterAutoscaler(LeastWaste(), demands, types, wanted,
                                                    std::chrono::hours(1), {}, Rng(1));
  EXPECT_NEAR(run.cost_micros / 1e6, 4 + 1.0 / 3, 1e-9);
  EXPECT_EQ(run.nodes_added, 3U);
  EXPECT_EQ(run.nodes_peak, 3U);
  EXPECT_EQ(run.nodes_removed, 1U);
}

// One that may not go does not keep another from going when its own time has come: the kept node
// is unneeded from the first hour on, the other for ten minutes of the second.
TEST(AutoscalerReplay, WhatStaysDoesNotHoldUpOthers) {
  std::vector<VmType> types = {TypeOf("kept", 4, 4, 1), TypeOf("n", 2, 2, 1)};
  types[0].keep = true;
  const std::vector<InstanceDemand> demands = {DemandOf("db", 3, 3, 0), DemandOf("web", 2, 2, 0)};
  const std::vector<InstanceCounts> wanted = {{1, 0}, {0, 3}, {0, 1}};
  const AutoscalerRun run = ReplayClusterAutoscaler(LeastWaste(), demands, types, wanted,
                                                    std::chrono::hours(1), {}, Rng(1));
  // The kept node takes two `web`, one more node the third. Then one `web` is left, on the kept.
  EXPECT_EQ(run.nodes_added, 2U);
  EXPECT_EQ(run.nodes_removed, 1U);
  EXPECT_NEAR(run.cost_micros / 1e6, 1 + 2 + 1 + 1.0 / 6, 1e-9);
}

TEST(AutoscalerReplay, NoWayOfExpandingIsBelowTheBound) {
  Rng rng(6);
  const std::vector<VmType> types = {TypeOf("a", 4, 8, 0.2), TypeOf("b", 8, 16, 0.39),
                                     TypeOf("c", 4, 32, 0.3)};
  std::vector<InstanceDemand> demands = {DemandOf("web", 1, 2, 0), DemandOf("db", 2, 12, 0)};
  std::vector<InstanceCounts> wanted;
  double bound = 0;
  for (int i = 0; i < 30; ++i) {
    wanted.push_back(
        {static_cast<std::uint32_t>(rng.Below(40)), static_cast<std::uint32_t>(rng.Below(15))});
    for (std::size_t s = 0; s < 2; ++s) demands[s].instances = wanted.back()[s];
    bound += static_cast<double>(CheapestVmMix(demands, types).value().bound_micros);
  }
  for (const ExpanderEntry& expander : BuiltinExpanders()) {
    const AutoscalerRun run = ReplayClusterAutoscaler(expander, demands, types, wanted,
                                                      std::chrono::hours(1), {}, Rng(1));
    EXPECT_GE(run.cost_micros, bound) << expander.name;
    EXPECT_GT(run.nodes_removed, 0U) << expander.name;
  }
}

}  // namespace
}  // namespace berth
