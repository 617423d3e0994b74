#include "scale/space/placing.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "berth/rng.h"
#include "scale/space/node_sets.h"
#include "scale/space/space_testing.h"

namespace berth {
namespace {

// `cpu` instances take 2 cpu and 1 GiB, `memory` ones 1 cpu and 6 GiB.
class PlacingTest : public ::testing::Test {
 protected:
  std::vector<PlacingProposal> Propose(std::string_view name, const InstanceCounts& wanted) const {
    return FindPlacingStrategy(name).value()->propose({.demands = demands_,
                                                       .wanted = wanted,
                                                       .types = types_,
                                                       .existing = existing_,
                                                       .special = special_});
  }

  PlacingChoice Place(std::string_view first, const InstanceCounts& wanted) const {
    const PlacingWay way{.first = FindPlacingStrategy(first).value(),
                         .scorer = FindPlacingScorer("cost").value(),
                         .chooser = FindPlacingChooser("best_score").value()};
    return PlaceInstances(way, {.demands = demands_,
                                .wanted = wanted,
                                .types = types_,
                                .existing = existing_,
                                .special = special_})
        .value();
  }

  std::vector<VmType> types_ = {TypeOf("small", 2, 8, 0.1), TypeOf("large", 5, 14, 0.2),
                                TypeOf("memory", 2, 16, 0.15)};
  std::vector<InstanceDemand> demands_ = {DemandOf("cpu", 2, 1, 0), DemandOf("memory", 1, 6, 0)};
  std::vector<VmGroup> existing_;
  std::vector<std::vector<std::size_t>> special_;
};

TEST_F(PlacingTest, BalancedPutsServicesTogetherThatWantDifferentResources) {
  // On a large node an instance of cpu takes 2/5 and 1/14, one of memory 1/5 and 6/14. The empty
  // node is filled by memory first (1/5 + 6/14), twice, and then by cpu, which leaves 1 cpu and
  // 1 GiB. Of the cpu left two are on a large node, and one on a small.
  const auto proposals = Propose("balanced", {4, 2});
  EXPECT_NE(
      std::ranges::find(proposals, PlacingProposal{{.type = 0, .count = 1, .instances = {1, 0}},
                                                   {.type = 1, .count = 1, .instances = {2, 0}},
                                                   {.type = 1, .count = 1, .instances = {1, 2}}}),
      proposals.end());
  EXPECT_TRUE(Propose("balanced", {4, 0}).empty());  // There is nothing to balance.
}

TEST_F(PlacingTest, SharedTakesTheCheapestThatShares) {
  EXPECT_EQ(Place("shared", {2, 1}).nodes,
            (PlacingProposal{{.type = 1, .count = 1, .instances = {2, 1}}}));
  EXPECT_TRUE(Propose("shared", {3, 0}).empty());
}

TEST_F(PlacingTest, SpecialisedKeepsServicesApartOnTheTypesMeantForThem) {
  special_ = {{}, {2}};
  // Two on each memory node; of cpu two on a large one are as cheap as on two small ones, with
  // fewer nodes.
  EXPECT_EQ(Place("specialised", {2, 3}).nodes,
            (PlacingProposal{{.type = 1, .count = 1, .instances = {2, 0}},
                             {.type = 2, .count = 1, .instances = {0, 2}},
                             {.type = 2, .count = 1, .instances = {0, 1}}}));
}

TEST_F(PlacingTest, SoleInstancesHaveTheCheapestNodeThatHoldsThem) {
  EXPECT_EQ(Place("sole_instance", {2, 1}).nodes,
            (PlacingProposal{{.type = 0, .count = 2, .instances = {1, 0}},
                             {.type = 0, .count = 1, .instances = {0, 1}}}));
}

TEST_F(PlacingTest, TheExistingMixtureIsRepeated) {
  existing_ = {{.type = 1, .count = 1, .instances = {1, 2}}};
  const auto proposals = Propose("existing_mixture", {2, 4});
  ASSERT_FALSE(proposals.empty());
  EXPECT_EQ(proposals.front(), (PlacingProposal{{.type = 1, .count = 2, .instances = {1, 2}}}));
  for (const PlacingProposal& proposal : proposals) {
    for (const VmGroup& group : proposal) EXPECT_EQ(group.type, 1U);
  }
}

TEST_F(PlacingTest, EachStrategyThatHasNothingLeavesItToTheNext) {
  EXPECT_EQ(Place("existing_mixture", {4, 2}).strategy, "balanced");     // Nothing exists.
  EXPECT_EQ(Place("existing_mixture", {3, 0}).strategy, "specialised");  // Nothing to share.
  // Both services want cpu above all: nothing is balanced, but nodes are shared.
  demands_ = {DemandOf("a", 2, 1, 0), DemandOf("b", 1, 1, 0)};
  EXPECT_EQ(Place("balanced", {1, 3}).strategy, "shared");
  // The types meant for the service do not hold it.
  special_ = {{0}, {}};
  demands_[0].need = CpuAndMemory(4, 1);
  EXPECT_EQ(Place("specialised", {1, 0}).strategy, "sole_instance");
}

TEST_F(PlacingTest, WhatNoTypeHoldsIsRefusedByName) {
  demands_[1].need = CpuAndMemory(1, 64);
  const PlacingWay way{.first = FindPlacingStrategy("shared").value(),
                       .scorer = FindPlacingScorer("cost").value(),
                       .chooser = FindPlacingChooser("best_score").value()};
  const InstanceCounts wanted = {1, 1};
  const auto placed = PlaceInstances(way, {.demands = demands_, .wanted = wanted, .types = types_});
  ASSERT_FALSE(placed.ok());
  EXPECT_EQ(placed.status().message(),
            "memory: no node type holds an instance of 1 cpu, 64Gi memory; add a larger type");
}

// 2 x 0.2 an hour over half an hour cost 0.2: a score of 5.
TEST_F(PlacingTest, TheScoreIsOneOverPriceTimesNodesTimesDuration) {
  const PlacingProposal nodes = {{.type = 1, .count = 2, .instances = {2, 1}}};
  const auto* cost = FindPlacingScorer("cost").value();
  EXPECT_DOUBLE_EQ(cost->score(nodes, types_, std::chrono::minutes(30)), 5);
  EXPECT_GT(cost->score({}, types_, std::chrono::minutes(30)), 1e300);
}

TEST_F(PlacingTest, TheBestScoreIsChosenOfEqualsTheFewestNodes) {
  const auto* best = FindPlacingChooser("best_score").value();
  const std::vector<PlacingProposal> proposals = {
      {{.type = 0, .count = 3}}, {{.type = 1, .count = 2}}, {{.type = 2, .count = 9}}};
  EXPECT_EQ(best->choose(proposals, std::vector<double>{1, 3, 2}), 1U);
  EXPECT_EQ(best->choose(proposals, std::vector<double>{3, 3, 2}), 1U);
}

// Counted one by one: each instance on one node, nodes within their capacity, all that is wanted
// and no more, and never cheaper than the bound by the sums of resources.
TEST_F(PlacingTest, WhateverIsPlacedHoldsExactlyWhatIsWanted) {
  Rng rng(3);
  for (int round = 0; round < 150; ++round) {
    types_.clear();
    for (std::uint64_t t = 0; t < 1 + rng.Below(4); ++t) {
      types_.push_back(TypeOf("t" + std::to_string(t), static_cast<std::int64_t>(4 + rng.Below(8)),
                              static_cast<std::int64_t>(6 + rng.Below(20)),
                              0.05 + 0.01 * static_cast<double>(rng.Below(40))));
    }
    demands_.clear();
    InstanceCounts wanted;
    for (std::uint64_t s = 0; s < 1 + rng.Below(3); ++s) {
      demands_.push_back(DemandOf("s" + std::to_string(s),
                                  static_cast<std::int64_t>(1 + rng.Below(4)),
                                  static_cast<std::int64_t>(1 + rng.Below(6)), 0));
      wanted.push_back(static_cast<std::uint32_t>(rng.Below(7)));
    }
    existing_.clear();
    if (rng.Below(2) == 0) {
      existing_ = {{.type = rng.Below(types_.size()),
                    .count = 1,
                    .instances = InstanceCounts(wanted.size(), 1)}};
    }
    std::vector<InstanceDemand> demands = demands_;
    for (std::size_t s = 0; s < wanted.size(); ++s) demands[s].instances = wanted[s];
    for (const PlacingEntry& entry : PlacingStrategies()) {
      const PlacingChoice choice = Place(entry.name, wanted);
      InstanceCounts placed(wanted.size(), 0);
      std::int64_t price = 0;
      for (const VmFilling& node : Ungrouped(choice.nodes)) {
        Resources free = types_[node.type].capacity;
        for (std::size_t s = 0; s < wanted.size(); ++s) {
          for (std::uint32_t i = 0; i < node.instances[s]; ++i) {
            ASSERT_TRUE(demands_[s].need.FitsIn(free)) << entry.name;
            free -= demands_[s].need;
            ++placed[s];
          }
        }
        price += types_[node.type].hour_micros;
      }
      EXPECT_EQ(placed, wanted) << entry.name;
      EXPECT_GE(price, VmMixBound(demands, types_)) << entry.name;
      EXPECT_EQ(price, HourMicrosOf(choice.nodes, types_));
    }
  }
}

TEST(NodeSets, JoinAndPartLikeCountedOnes) {
  Rng rng(5);
  const auto random_set = [&] {
    std::vector<VmGroup> nodes(rng.Below(5));
    for (VmGroup& group : nodes) {
      group = {.type = rng.Below(2),
               .count = 1 + rng.Below(3),
               .instances = {static_cast<std::uint32_t>(rng.Below(2))}};
    }
    return GroupNodes(nodes);
  };
  const auto count_of = [](const NodeSet& set, std::size_t type, std::uint32_t instances) {
    std::uint64_t count = 0;
    for (const VmFilling& node : Ungrouped(set)) {
      if (node.type == type && node.instances[0] == instances) ++count;
    }
    return count;
  };
  for (int round = 0; round < 200; ++round) {
    const NodeSet a = random_set();
    const NodeSet b = random_set();
    for (std::size_t type = 0; type < 2; ++type) {
      for (std::uint32_t n = 0; n < 2; ++n) {
        const std::uint64_t in_a = count_of(a, type, n);
        const std::uint64_t in_b = count_of(b, type, n);
        EXPECT_EQ(count_of(Joined(a, b), type, n), in_a + in_b);
        EXPECT_EQ(count_of(Without(a, b), type, n), in_a - std::min(in_a, in_b));
        EXPECT_EQ(count_of(Common(a, b), type, n), std::min(in_a, in_b));
      }
    }
  }
}

}  // namespace
}  // namespace berth
