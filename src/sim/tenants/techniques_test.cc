#include <gtest/gtest.h>

#include "sim/tenants/cluster.h"
#include "sim/tenants/technique_name.h"
#include "sim/tenants/tenants_testing.h"
#include "sim/tenants/violation_estimate.h"

namespace berth {
namespace {

constexpr NodeSpec kSpec{.capacity = Demand(1'000, 1'000, 1'000)};

class Techniques : public ::testing::Test {
 protected:
  // Cpu, memory and disk of the only tenant of each node.
  NodeIndex Chosen(std::string_view name, const std::vector<Demand>& loads,
                   const Demand& newcomer) {
    TenantCluster cluster(kSpec, static_cast<std::uint32_t>(loads.size()));
    for (NodeIndex node = 0; node < loads.size(); ++node) {
      cluster.Place(cluster.Add({}, {}, loads[node]), node);
    }
    const auto technique =
        ParseTechniqueName(name).value().technique->make({cluster, population_.library});
    const TenantNumber number = cluster.Add({}, {}, newcomer);
    std::vector<NodeIndex> fits;
    cluster.FindFits(cluster.tenant(number), kNoNode, fits);
    return technique->Choose(cluster.tenant(number), fits);
  }

  TenantPopulation population_ = testing::SteadyPopulation(Demand(10, 10, 10));
};

TEST_F(Techniques, FitByTheScarcestResource) {
  // With the newcomer the greatest shares are 0.5, 0.7 and 0.45.
  const std::vector<Demand> loads = {Demand(400, 0, 0), Demand(0, 600, 0), Demand(350, 350, 350)};
  const Demand newcomer(100, 100, 100);
  EXPECT_EQ(Chosen("best_fit_max", loads, newcomer), 1U);
  EXPECT_EQ(Chosen("worst_fit_max", loads, newcomer), 2U);
}

TEST_F(Techniques, FitByTheWeightedSum) {
  // Totals, and so weights: 750, 950, 350. Sums before the newcomer, which adds the same to all:
  // 0.4 * 750 = 300, 0.6 * 950 = 570, 0.35 * 2050 = 717.5.
  const std::vector<Demand> loads = {Demand(400, 0, 0), Demand(0, 600, 0), Demand(350, 350, 350)};
  const Demand newcomer(100, 100, 100);
  EXPECT_EQ(Chosen("best_fit_sum", loads, newcomer), 2U);
  EXPECT_EQ(Chosen("worst_fit_sum", loads, newcomer), 0U);
}

TEST_F(Techniques, FullNodesAreNoChoice) {
  const std::vector<Demand> loads = {Demand(900, 0, 0), Demand(300, 0, 0), Demand(200, 0, 0)};
  EXPECT_EQ(Chosen("best_fit_max", loads, Demand(100, 0, 0)), 1U);
  EXPECT_EQ(Chosen("vector_packing", loads, Demand(100, 0, 0)), 1U);
  EXPECT_EQ(Chosen("vector_packing", loads, Demand(10, 0, 0)), 0U);
}

TEST_F(Techniques, LeastDeviationEvensOut) {
  // Cpu lies even; of memory the second node has least.
  const std::vector<Demand> loads = {Demand(300, 400, 0), Demand(300, 100, 0), Demand(300, 300, 0)};
  EXPECT_EQ(Chosen("least_deviation", loads, Demand(0, 100, 0)), 1U);
}

TEST_F(Techniques, InnerProductAlignsDemandAndRoom) {
  // Both are half full, one of cpu and one of memory; the newcomer needs memory.
  const std::vector<Demand> loads = {Demand(0, 500, 0), Demand(500, 0, 0)};
  EXPECT_EQ(Chosen("inner_product", loads, Demand(10, 300, 0)), 1U);
  EXPECT_EQ(Chosen("inner_product", loads, Demand(300, 10, 0)), 0U);
}

Risk RiskOf(std::uint32_t before, std::uint32_t after) {
  return {.before = before, .after = after, .after_of = {}};
}

TEST(LeastHarm, IsNotWhereAViolationIsCertainAnyway) {
  using Scored = ViolationEstimate::Scored;
  // Delta is 0 on the first, 1 on the second, 4 on the third: 4 of 80 is least.
  const std::vector<Scored> scored = {
      {0, RiskOf(100, 100)}, {1, RiskOf(98, 99)}, {2, RiskOf(20, 24)}};
  EXPECT_EQ(ViolationEstimate::LeastHarmed(scored), std::vector<NodeIndex>{2});
  const std::vector<Scored> certain = {{4, RiskOf(100, 100)}, {5, RiskOf(30, 100)}};
  EXPECT_EQ(ViolationEstimate::LeastHarmed(certain), (std::vector<NodeIndex>{4, 5}));
}

}  // namespace
}  // namespace berth
