#include "scale/space/node_adjust.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "scale/space/space_testing.h"

namespace berth {
namespace {

using std::chrono::minutes;

PlacingWay CheapestWay(Duration lifetime, std::string_view first = "shared") {
  return {.first = FindPlacingStrategy(first).value(),
          .scorer = FindPlacingScorer("cost").value(),
          .chooser = FindPlacingChooser("best_score").value(),
          .lifetime = lifetime};
}

// `web` takes 1 cpu and 1 GiB. A small node holds 2 of them at 0.10, a large one 8 at 0.30.
class NodeAdjustTest : public ::testing::Test {
 protected:
  NodeAdjustment Adjust(const AdjustAsk& ask, Duration lifetime,
                        const NodeBounds& bounds = {}) const {
    const NodeAdjuster adjuster(CheapestWay(lifetime), bounds, world_);
    return adjuster.Adjust(ask, {1}).value();
  }

  NodeWorld world_ = {
      .demands = {DemandOf("web", 1, 1, 0)},
      .boots = {minutes(1)},
      .types = {TypeOf("small", 2, 4, 0.1, minutes(5)), TypeOf("large", 8, 16, 0.3, minutes(5))}};
};

TEST_F(NodeAdjustTest, WhatComesTakesTheRoomThereIsFirst) {
  const NodeSet current = {{.type = 1, .count = 1, .instances = {5}}};
  const NodeAdjustment to = Adjust({.current = current, .wanted = {8}}, minutes(60));
  EXPECT_EQ(to.nodes, (NodeSet{{.type = 1, .count = 1, .instances = {8}}}));
  EXPECT_TRUE(to.leaving.empty());
}

TEST_F(NodeAdjustTest, WhatGoesEmptiesTheLeastUsedNodes) {
  const NodeSet current = {{.type = 0, .count = 2, .instances = {2}},
                           {.type = 0, .count = 1, .instances = {1}}};
  const NodeAdjustment to = Adjust({.current = current, .wanted = {4}}, minutes(60));
  EXPECT_EQ(to.nodes, (NodeSet{{.type = 0, .count = 2, .instances = {2}}}));
}

TEST_F(NodeAdjustTest, EmptyNodesStayWhileNothingMayBeRemoved) {
  const NodeSet current = {{.type = 0, .count = 2, .instances = {2}}};
  const NodeAdjustment to =
      Adjust({.current = current, .wanted = {2}, .may_remove = false}, minutes(60));
  EXPECT_EQ(to.nodes, (NodeSet{{.type = 0, .count = 1, .instances = {2}},
                               {.type = 0, .count = 1, .instances = {0}}}));
}

// From three small nodes with 6 to 8 instances. Expanding: a fourth small node, 0.40 an hour.
// Substituting: one large, 0.30 an hour, and the three small for the 6 minutes of booting, 0.03.
TEST_F(NodeAdjustTest, SubstitutesWhereThatCostsLessWithBothPaidMeanwhile) {
  const NodeSet current = {{.type = 0, .count = 3, .instances = {2}}};
  const NodeAdjustment hour = Adjust({.current = current, .wanted = {8}}, minutes(60));
  EXPECT_TRUE(hour.substituted);
  EXPECT_EQ(hour.nodes, (NodeSet{{.type = 1, .count = 1, .instances = {8}}}));
  EXPECT_EQ(hour.leaving, current);
  EXPECT_EQ(hour.up_after, minutes(6));
  // Over 18 minutes: 0.12 for expanding, 0.09 + 0.03 for substituting. Of equals it expands.
  const NodeAdjustment short_lived = Adjust({.current = current, .wanted = {8}}, minutes(18));
  EXPECT_FALSE(short_lived.substituted);
  EXPECT_EQ(short_lived.nodes, (NodeSet{{.type = 0, .count = 4, .instances = {2}}}));
}

TEST_F(NodeAdjustTest, NothingIsSubstitutedWhileAnotherSubstitutionIsUnderWay) {
  const NodeSet current = {{.type = 0, .count = 3, .instances = {2}}};
  const NodeSet leaving = {{.type = 1, .count = 1, .instances = {6}}};
  const NodeAdjustment to =
      Adjust({.current = current, .leaving = leaving, .wanted = {8}}, minutes(60));
  EXPECT_FALSE(to.substituted);
  EXPECT_EQ(to.leaving, leaving);
}

TEST_F(NodeAdjustTest, BoundsAreNeverExceeded) {
  const NodeSet current = {{.type = 0, .count = 1, .instances = {2}}};
  const NodeAdjustment nodes =
      Adjust({.current = current, .wanted = {40}}, minutes(60), {.nodes = 3});
  EXPECT_TRUE(nodes.held_back);
  EXPECT_LE(NodesIn(nodes.nodes) + NodesIn(nodes.leaving), 3U);
  EXPECT_GE(InstancesOn(nodes.nodes, 1)[0], 16U);
  const NodeAdjustment cost =
      Adjust({.current = current, .wanted = {40}}, minutes(60), {.hour_micros = 700'000});
  EXPECT_TRUE(cost.held_back);
  EXPECT_LE(HourMicrosOf(cost.nodes, world_.types) + HourMicrosOf(cost.leaving, world_.types),
            700'000);
  EXPECT_EQ(InstancesOn(cost.nodes, 1)[0], 18U);
}

// One large node in place of three small ones would be cheaper, but for a while there are four.
TEST_F(NodeAdjustTest, BoundsHoldForOldAndNewNodesTogether) {
  const NodeSet current = {{.type = 0, .count = 3, .instances = {2}}};
  const NodeAdjustment to = Adjust({.current = current, .wanted = {8}}, minutes(60), {.nodes = 3});
  EXPECT_TRUE(to.held_back);
  EXPECT_EQ(to.nodes, current);
  EXPECT_TRUE(to.leaving.empty());
}

TEST_F(NodeAdjustTest, WhatIsOverTheBoundsAlreadyDoesNotGrow) {
  const NodeSet current = {{.type = 0, .count = 4, .instances = {2}}};
  const NodeAdjustment to = Adjust({.current = current, .wanted = {9}, .may_remove = false},
                                   minutes(60), {.hour_micros = 50'000});
  EXPECT_TRUE(to.held_back);
  EXPECT_EQ(to.nodes, current);
}

// Step by step from any nodes to any counts: nothing is lost, no node is overfull, and the choice
// costs no more than always expanding would.
TEST(NodeAdjustProperties, ExactCountsWithinCapacityAtNoMoreThanExpanding) {
  Rng rng(17);
  for (int round = 0; round < 60; ++round) {
    NodeWorld world;
    for (std::uint64_t t = 0; t < 1 + rng.Below(3); ++t) {
      world.types.push_back(
          TypeOf("t" + std::to_string(t), static_cast<std::int64_t>(3 + rng.Below(8)),
                 static_cast<std::int64_t>(4 + rng.Below(16)),
                 0.1 + 0.02 * static_cast<double>(rng.Below(20)), minutes(rng.Below(4))));
    }
    const std::size_t services = 1 + rng.Below(3);
    for (std::size_t s = 0; s < services; ++s) {
      world.demands.push_back(DemandOf("s" + std::to_string(s),
                                       static_cast<std::int64_t>(1 + rng.Below(3)),
                                       static_cast<std::int64_t>(1 + rng.Below(4)), 0));
      world.boots.push_back(minutes(rng.Below(2)));
    }
    const PlacingEntry& first = PlacingStrategies()[rng.Below(PlacingStrategies().size())];
    const PlacingWay way = CheapestWay(minutes(60), first.name);
    const NodeAdjuster adjuster(way, {}, world);
    NodeSet current;
    for (int step = 0; step < 6; ++step) {
      InstanceCounts wanted(services);
      for (std::uint32_t& count : wanted) count = static_cast<std::uint32_t>(rng.Below(9));
      const RefilledNodes refilled = RefillNodes(world, current, wanted, true);
      const NodeAdjustment to =
          adjuster.Adjust({.current = current, .wanted = wanted}, wanted).value();
      EXPECT_EQ(InstancesOn(to.nodes, services), wanted);
      for (const VmGroup& group : to.nodes) {
        EXPECT_TRUE(
            ResourcesOf(world.demands, group.instances).FitsIn(world.types[group.type].capacity));
      }
      InstanceCounts sum = InstancesOn(refilled.nodes, services);
      for (std::size_t s = 0; s < services; ++s) sum[s] += refilled.missing[s];
      EXPECT_EQ(sum, wanted);
      const auto added = PlaceInstances(way, {.demands = world.demands,
                                              .wanted = refilled.missing,
                                              .types = world.types,
                                              .existing = current});
      ASSERT_TRUE(added.ok());
      const auto cost_micros = [&](const NodeSet& nodes, Duration lasting) {
        return static_cast<double>(HourMicrosOf(nodes, world.types)) *
               static_cast<double>(lasting.count()) / 3.6e9;
      };
      EXPECT_LE(cost_micros(to.nodes, minutes(60)) + cost_micros(to.leaving, to.up_after),
                cost_micros(Joined(refilled.nodes, added.value().nodes), minutes(60)) + 1);
      current = to.nodes;
    }
  }
}

}  // namespace
}  // namespace berth
