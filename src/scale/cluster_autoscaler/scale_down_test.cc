#include "scale/cluster_autoscaler/scale_down.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "scale/capacity/capacity_testing.h"

namespace berth {
namespace {

using std::chrono::minutes;

Time At(int minute) { return Time(minutes(minute)); }

// Nodes of 4 cpu and 8 GiB; pods of `web` take 1 and 1, of `system` 1 and 1.
class ScaleDownTest : public ::testing::Test {
 protected:
  void Nodes(const std::vector<InstanceCounts>& pods) {
    for (const InstanceCounts& on : pods) cluster_.nodes.push_back({.pods = on});
  }

  // Marks at 0 and removes at `minute`.
  std::size_t RemovedAt(int minute) {
    MarkUnneeded(cluster_, At(0));
    return ScaleDown(cluster_, settings_, At(minute));
  }

  std::vector<InstanceCounts> Left() const {
    std::vector<InstanceCounts> pods;
    pods.reserve(cluster_.nodes.size());
    for (const AutoscaledNode& node : cluster_.nodes) pods.push_back(node.pods);
    return pods;
  }

  std::vector<VmType> types_ = {TypeOf("n", 4, 8, 1)};
  std::vector<InstanceDemand> demands_ = {DemandOf("web", 1, 1, 0), DemandOf("system", 1, 1, 0)};
  AutoscaledCluster cluster_{demands_, types_};
  ScaleDownSettings settings_;
};

TEST_F(ScaleDownTest, ANodeWhosePodsFitElsewhereIsUnneeded) {
  Nodes({{3, 0}, {1, 1}, {4, 0}});
  MarkUnneeded(cluster_, At(5));
  EXPECT_FALSE(cluster_.nodes[0].unneeded_since);  // For its three pods there are two places.
  EXPECT_FALSE(cluster_.nodes[1].unneeded_since);  // For its two there is one.
  EXPECT_FALSE(cluster_.nodes[2].unneeded_since);
  cluster_.nodes[1].pods = {1, 0};
  MarkUnneeded(cluster_, At(6));
  EXPECT_EQ(cluster_.nodes[0].unneeded_since, At(6));
  EXPECT_EQ(cluster_.nodes[1].unneeded_since, At(6));
}

TEST_F(ScaleDownTest, TheMarkStaysUntilTheNodeIsNeeded) {
  Nodes({{3, 0}, {1, 0}});
  MarkUnneeded(cluster_, At(5));
  MarkUnneeded(cluster_, At(9));
  EXPECT_EQ(cluster_.nodes[1].unneeded_since, At(5));
  cluster_.nodes[0].pods = {4, 0};
  MarkUnneeded(cluster_, At(12));
  EXPECT_FALSE(cluster_.nodes[1].unneeded_since);
}

TEST_F(ScaleDownTest, ANodeMustHaveBeenUnneededForLongEnough) {
  Nodes({{3, 0}, {0, 0}});
  EXPECT_EQ(RemovedAt(9), 0U);
  EXPECT_EQ(RemovedAt(10), 1U);
}

TEST_F(ScaleDownTest, AnUnreadyNodeMustHaveBeenUnreadyForLongEnough) {
  Nodes({{3, 0}, {0, 0}});
  cluster_.nodes[1].unready_since = At(0);
  EXPECT_EQ(RemovedAt(19), 0U);
  EXPECT_EQ(RemovedAt(20), 1U);
}

TEST_F(ScaleDownTest, AnUnreadyNodeTakesNoPods) {
  Nodes({{3, 0}, {0, 0}});
  cluster_.nodes[1].unready_since = At(0);
  MarkUnneeded(cluster_, At(0));
  EXPECT_FALSE(cluster_.nodes[0].unneeded_since);
}

TEST_F(ScaleDownTest, AMarkedNodeStays) {
  Nodes({{0, 0}});
  cluster_.nodes[0].keep = true;
  EXPECT_EQ(RemovedAt(60), 0U);
  cluster_.nodes[0].keep = false;
  EXPECT_EQ(RemovedAt(60), 1U);
}

TEST_F(ScaleDownTest, TheResourcesLeftAreNotBelowTheLeast) {
  Nodes({{3, 0}, {0, 0}, {0, 0}});
  settings_.least = CpuAndMemory(8, 0);  // Two nodes: of the two empty ones one may go.
  EXPECT_EQ(RemovedAt(60), 1U);
}

TEST_F(ScaleDownTest, EmptyNodesGoAllAtOnceAndAlone) {
  Nodes({{2, 0}, {0, 0}, {1, 0}, {0, 0}});
  EXPECT_EQ(RemovedAt(60), 2U);
  EXPECT_EQ(Left(), (std::vector<InstanceCounts>{{2, 0}, {1, 0}}));
}

TEST_F(ScaleDownTest, WithoutEmptyNodesThoseWithTheFewestPodsAreDrained) {
  Nodes({{2, 0}, {1, 0}, {3, 0}});
  EXPECT_EQ(RemovedAt(60), 1U);
  EXPECT_EQ(Left(), (std::vector<InstanceCounts>{{3, 0}, {3, 0}}));
}

TEST_F(ScaleDownTest, BlockingPodsKeepTheirNode) {
  Nodes({{2, 0}, {0, 1}, {3, 0}});
  settings_.blocking = {false, true};
  EXPECT_EQ(RemovedAt(60), 1U);  // Not the one with the fewest pods, but the next.
  EXPECT_EQ(Left(), (std::vector<InstanceCounts>{{2, 1}, {3, 0}}));
}

// Whatever goes, no pod is lost, no node is overfull, and what is marked or blocked stays.
TEST_F(ScaleDownTest, NothingIsLost) {
  Rng rng(9);
  for (int round = 0; round < 500; ++round) {
    cluster_.nodes.clear();
    settings_.blocking = {false, true};
    std::uint64_t web = 0;
    std::uint64_t system = 0;
    std::size_t kept = 0;
    for (std::uint64_t n = 0; n < 1 + rng.Below(8); ++n) {
      AutoscaledNode node{.keep = rng.Below(5) == 0};
      node.pods = {static_cast<std::uint32_t>(rng.Below(4)),
                   static_cast<std::uint32_t>(rng.Below(4) == 0 ? 1 : 0)};
      web += node.pods[0];
      system += node.pods[1];
      if (node.keep || node.pods[1] > 0) ++kept;
      cluster_.nodes.push_back(node);
    }
    RemovedAt(60);
    EXPECT_GE(cluster_.nodes.size(), kept);
    for (const AutoscaledNode& node : cluster_.nodes) {
      web -= node.pods[0];
      system -= node.pods[1];
      EXPECT_TRUE(ResourcesOf(demands_, node.pods).FitsIn(types_[0].capacity));
    }
    EXPECT_EQ(web, 0U);
    EXPECT_EQ(system, 0U);
  }
}

}  // namespace
}  // namespace berth
