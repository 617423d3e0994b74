#include "appsim/multiverse/placing.h"

#include <gtest/gtest.h>

#include "appsim/multiverse/adjusting.h"

namespace berth::multiverse {
namespace {

// Two services of 100 and 40 of memory; nodes of 1000, and of 3000 at twice the price.
class MultiversePlacing : public ::testing::Test {
 protected:
  MultiversePlacing() {
    for (const double memory : {100.0, 40.0}) {
      ServiceSpec service;
      service.idle[1] = {.mean = memory};
      set_.application.services.push_back(service);
    }
    set_.application.requests.resize(1);
    set_.node_types.push_back({.name = "small",
                               .capacity = {4, 1'000, 1'000, 1'000},
                               .price_an_hour = 1,
                               .boot = {.mean = 40e6}});
    set_.node_types.push_back({.name = "large",
                               .capacity = {4, 3'000, 1'000, 1'000},
                               .price_an_hour = 2,
                               .boot = {.mean = 40e6}});
    set_.adjustment = {.placement_hint = "shared", .horizon = std::chrono::minutes(10)};
    quirks_ = QuirksOf("jan2021").value();
  }

  SimulationSet set_;
  Quirks quirks_;
  Rng rng_{1};
};

TEST_F(MultiversePlacing, MixesAreFilledToTheShareAndRepeatCounts) {
  const NodePlacer placer(set_, quirks_);
  // To 300 of 1000. From the first service: 100 is taken, two more make it 300; the second one gets
  // the same two. From the second: 40 is taken, seven more make it 320. Then each alone as many as
  // fit below 1000, then one of each.
  EXPECT_EQ(placer.Mixes(0),
            (std::vector<Counts>{{2, 2}, {0, 7}, {9, 0}, {0, 24}, {1, 0}, {0, 1}}));
}

TEST_F(MultiversePlacing, TheMixWithTheFewestNodesIsTakenAndTheRestGoesOntoOneNode) {
  const NodePlacer placer(set_, quirks_);
  // Of the small type 24 hold none of 20 whole, 7 hold two: 14 on two nodes, and 20 mod 14 = 6 on
  // one, for which one of the two is given up.
  const NewNodes nodes = placer.Place({0, 20});
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].nodes, 1U);
  EXPECT_EQ(nodes[0].instances, (Counts{0, 7}));
  EXPECT_EQ(nodes[1].nodes, 1U);
  EXPECT_EQ(nodes[1].instances, (Counts{0, 6}));
}

TEST_F(MultiversePlacing, WithoutTheQuirkNothingIsLost) {
  quirks_ = QuirksOf("none").value();
  const NodePlacer placer(set_, quirks_);
  for (std::uint32_t a = 0; a < 30; ++a) {
    for (std::uint32_t b = 0; b < 30; ++b) {
      Counts placed(2, 0);
      for (const NodeBatch& batch : placer.Place({a, b})) {
        for (std::size_t s = 0; s < 2; ++s) placed[s] += batch.instances[s];
      }
      EXPECT_EQ(placed, (Counts{a, b}));
    }
  }
}

TEST_F(MultiversePlacing, InstancesGoToTheFullestGroupWithRoomAndTheRestToNewNodes) {
  std::vector<NodeGroup> groups(2, NodeGroup(set_, 0, quirks_));
  for (NodeGroup& group : groups) group.AddNodes(1);
  groups[0].AddInstances(0, 1);
  groups[1].AddInstances(0, 2);
  const NodePlacer placer(set_, quirks_);
  const Orders orders = PlanOrders({0, 9}, groups, placer, set_, quirks_, rng_);
  // Up to 300: from 200 two of 40 fit, from 100 four do. Three are left, which hold the mix of two
  // once; its node is given up for the one that remains of it, as the original does.
  ASSERT_EQ(orders.changes.size(), 2U);
  EXPECT_EQ(orders.changes[0].group, 1U);
  EXPECT_EQ(orders.changes[0].change, 2);
  EXPECT_EQ(orders.changes[1].change, 4);
  ASSERT_EQ(orders.added.size(), 1U);
  EXPECT_EQ(orders.added[0].nodes, 1U);
  EXPECT_EQ(orders.added[0].instances, (Counts{0, 1}));
}

TEST_F(MultiversePlacing, RemovingInstancesGivesUpNodesThatAreNotNeeded) {
  std::vector<NodeGroup> groups(1, NodeGroup(set_, 0, quirks_));
  groups[0].AddNodes(4);
  groups[0].AddInstances(0, 8);
  const NodePlacer placer(set_, quirks_);
  const Orders orders = PlanOrders({-5, 0}, groups, placer, set_, quirks_, rng_);
  // 300 are left, which one node holds: three of four nodes go, and six of eight instances.
  ASSERT_EQ(orders.removals.size(), 1U);
  EXPECT_EQ(orders.removals[0].nodes, 3U);
  EXPECT_EQ(orders.removals[0].instances, (Counts{6, 0}));
  EXPECT_TRUE(orders.changes.empty());
}

}  // namespace
}  // namespace berth::multiverse
