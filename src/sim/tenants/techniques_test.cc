#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/rng.h"
#include "sim/tenants/cluster.h"
#include "sim/tenants/technique_name.h"
#include "sim/tenants/techniques/builtin.h"
#include "sim/tenants/tenants_testing.h"
#include "sim/tenants/violation_estimate.h"

namespace berth {
namespace {

constexpr NodeSpec kNodeSpec{.capacity = Demand(1'000, 1'000, 1'000)};

class Techniques : public ::testing::Test {
 protected:
  // Cpu, memory and disk of the only tenant of each node.
  NodeIndex Chosen(std::string_view name, const std::vector<Demand>& loads,
                   const Demand& newcomer) {
    TenantCluster cluster(kNodeSpec, static_cast<std::uint32_t>(loads.size()));
    for (NodeIndex node = 0; node < loads.size(); ++node) {
      cluster.Place(cluster.Add({.key = node}, {}, loads[node]), node);
    }
    const auto technique =
        ParseTechniqueName(name).value().technique->make({cluster, population_.library});
    const TenantNumber number = cluster.Add({.key = loads.size()}, {}, newcomer);
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

TEST_F(Techniques, TheBalancerEvensOutAndKeepsHeldOutNodesEmpty) {
  // Cpu of 400, 100, 90 and 80; the last three are held out. With 100 more on the last the shares
  // are 0.4, 0.1, 0.09 and 0.18, whose deviation is 0.1248: a third of it, as one of three
  // resources, and a twelfth of 0.1 for the held-out node are 0.0499. On the first the deviation is
  // 0.1777, a third 0.0592; on the second and third it is 0.0512 and 0.0506 with the twelfth.
  const std::vector<Demand> loads = {Demand(400, 0, 0), Demand(100, 0, 0), Demand(90, 0, 0),
                                     Demand(80, 0, 0)};
  EXPECT_EQ(Chosen("annealing", loads, Demand(100, 0, 0)), 3U);
  // Nearly even: on the first, which is not held out, 0.0437 / 3 = 0.0146; on the last
  // 0.0432 / 3 + 0.1 / 12 = 0.0227.
  const std::vector<Demand> even = {Demand(101, 0, 0), Demand(100, 0, 0), Demand(100, 0, 0),
                                    Demand(100, 0, 0)};
  EXPECT_EQ(Chosen("annealing", even, Demand(100, 0, 0)), 0U);
}

// Past ones of class 0 came to need 600; of class 1 there are none, so that they go on as seen.
class BalancerAhead : public ::testing::Test {
 protected:
  NodeIndex Chosen(std::string_view name) {
    TenantCluster cluster(kNodeSpec, 2);
    cluster.Place(
        cluster.Add({.key = 1, .observed_peak = Demand(100, 0, 0)}, {}, Demand(100, 0, 0)), 0);
    cluster.Place(
        cluster.Add({.key = 2, .tenant_class = TenantClass{1}, .observed_peak = Demand(300, 0, 0)},
                    {}, Demand(300, 0, 0)),
        1);
    const auto technique =
        ParseTechniqueName(name).value().technique->make({cluster, population_.library});
    const TenantNumber number = cluster.Add({.key = 3}, {}, Demand(100, 0, 0));
    return technique->Choose(cluster.tenant(number), std::vector<NodeIndex>{0, 1});
  }

  TenantPopulation population_ = testing::FollowingPopulation(
      {Demand(100, 0, 0)}, std::vector<Demand>(20, Demand(600, 0, 0)), 100);
};

TEST_F(BalancerAhead, SeesWhatIsToCome) {
  // Deviations are 0.05 and 0.15, a third of which count.
  EXPECT_EQ(Chosen("annealing"), 0U);
  // On the first node 1,200 are to come, a violation in every repetition, of which a tenth counts:
  // 0.117 against 0.05 on the second, where 900 are.
  EXPECT_EQ(Chosen("prv_annealing"), 1U);
}

// The one on the first node once needed 960, which is a violation, and needs 10 now; the newcomer
// will need 600. On the first node it brings no violation that is not there already, and evens out
// usage: deviations are 0.095 and 0.195, a third of which count. By harm that node costs a tenth.
TEST_F(BalancerAhead, IsNotFreeWhereAViolationIsCertainAnyway) {
  const auto chosen = [&](std::string_view name) {
    TenantCluster cluster(kNodeSpec, 2);
    constexpr TenantClass kGoesOnAsSeen{1};
    cluster.Place(
        cluster.Add({.key = 1, .tenant_class = kGoesOnAsSeen, .observed_peak = Demand(960, 0, 0)},
                    {}, Demand(10, 0, 0)),
        0);
    cluster.Place(
        cluster.Add({.key = 2, .tenant_class = kGoesOnAsSeen, .observed_peak = Demand(300, 0, 0)},
                    {}, Demand(300, 0, 0)),
        1);
    const auto technique =
        ParseTechniqueName(name).value().technique->make({cluster, population_.library});
    const TenantNumber number = cluster.Add({.key = 3}, {}, Demand(100, 0, 0));
    return technique->Choose(cluster.tenant(number), std::vector<NodeIndex>{0, 1});
  };
  EXPECT_EQ(chosen("prv_annealing"), 0U);
  EXPECT_EQ(chosen("prv_annealing_harm"), 1U);
}

// What is kept from one placement to the next is what a technique that knows nothing of them sees.
TEST_F(BalancerAhead, ChoosesWithinAStepAsFromNothing) {
  Rng rng(5);
  for (const std::string_view name : {"annealing", "prv_annealing", "prv_annealing_harm"}) {
    // The three emptiest of the step's beginning are held out: of three nodes, all.
    TenantCluster cluster(kNodeSpec, 3);
    const TechniqueEntry& entry = *ParseTechniqueName(name).value().technique;
    const auto keeps = entry.make({cluster, population_.library});
    std::vector<TenantNumber> present;
    int chosen = 0;
    for (std::uint64_t key = 0; key < 120; ++key) {
      if (present.size() > 8 && rng.Below(2) == 0) {
        const std::size_t which = rng.Below(present.size());
        const NodeIndex from = cluster.tenant(present[which]).node;
        cluster.Take(present[which]);
        keeps->Left(cluster.tenant(present[which]), from);
        present.erase(present.begin() + static_cast<std::ptrdiff_t>(which));
      }
      const Demand estimate(static_cast<std::uint32_t>(10 + rng.Below(150)), 0, 0);
      const auto tenant_class = TenantClass{static_cast<std::uint16_t>(rng.Below(2))};
      const TenantNumber number = cluster.Add(
          {.key = key, .tenant_class = tenant_class, .observed_peak = estimate}, {}, estimate);
      std::vector<NodeIndex> fits;
      cluster.FindFits(cluster.tenant(number), kNoNode, fits);
      if (fits.empty()) continue;
      const auto forgets = entry.make({cluster, population_.library});
      const NodeIndex node = keeps->Choose(cluster.tenant(number), fits);
      ASSERT_EQ(node, forgets->Choose(cluster.tenant(number), fits)) << name << " " << key;
      ++chosen;
      cluster.Place(number, node);
      keeps->Placed(cluster.tenant(number));
      present.push_back(number);
    }
    EXPECT_GT(chosen, 20);
  }
}

TEST(BalancerTechnique, RelievesAViolatedNode) {
  const TenantPopulation population = testing::SteadyPopulation(Demand(10, 10, 10));
  TenantCluster cluster(kNodeSpec, 2);
  for (int i = 0; i < 10; ++i) {
    cluster.Place(cluster.Add({.key = static_cast<std::uint64_t>(i)}, {}, Demand(96, 0, 0)), 0);
  }
  ASSERT_TRUE(cluster.InViolation(0));
  const auto technique =
      ParseTechniqueName("annealing").value().technique->make({cluster, population.library});
  technique->Advance(1);
  int moves = 0;
  while (cluster.InViolation(0)) {
    const auto move = technique->Relieve(0);
    ASSERT_TRUE(move.has_value());
    ASSERT_EQ(cluster.tenant(move->tenant).node, 0U);
    cluster.Take(move->tenant);
    cluster.Place(move->tenant, move->to);
    ++moves;
  }
  EXPECT_GE(moves, 1);
  EXPECT_FALSE(cluster.InViolation(1));
}

// The first node holds 500 and 460, which share no node with theirs on the second, where most room
// is. So they go to the third, which holds 400.
TEST(BalancerTechnique, RelievesANodeWithoutBringingReplicasTogether) {
  const TenantPopulation population = testing::SteadyPopulation(Demand(10, 10, 10));
  TenantCluster cluster(kNodeSpec, 3, {.fault = 3, .update = 3});
  std::uint64_t key = 0;
  for (const std::uint32_t cpu : {500U, 460U}) {
    const TenantNumber first = cluster.Add({.key = ++key}, {}, Demand(cpu, 0, 0));
    cluster.Place(first, 0);
    cluster.Place(cluster.Add({.key = ++key}, {}, Demand(), first), 1);
  }
  cluster.Place(cluster.Add({.key = ++key}, {}, Demand(400, 0, 0)), 2);
  const auto technique =
      ParseTechniqueName("annealing").value().technique->make({cluster, population.library});
  technique->Advance(1);
  while (cluster.InViolation(0)) {
    const auto move = technique->Relieve(0);
    ASSERT_TRUE(move.has_value());
    ASSERT_TRUE(cluster.KeepsApart(cluster.tenant(move->tenant), move->to));
    cluster.Take(move->tenant);
    cluster.Place(move->tenant, move->to);
  }
}

// What is found is where all are in the end; on the way nobody may go where there is no room yet.
TEST(BalancerTechnique, RelievesANodeWithoutViolatingAnother) {
  const TenantPopulation population = testing::SteadyPopulation(Demand(10, 10, 10));
  Rng rng(7);
  int relieved = 0;
  for (std::uint64_t round = 0; round < 40; ++round) {
    TenantCluster cluster(kNodeSpec, 4);
    for (std::uint64_t key = 0; key < 32; ++key) {
      const auto node = static_cast<NodeIndex>(key % 4);
      const auto cpu = static_cast<std::uint32_t>((node == 0 ? 80 : 50) + rng.Below(110));
      cluster.Place(cluster.Add({.key = key}, {}, Demand(cpu, 0, 0)), node);
    }
    std::vector<bool> violated(4);
    for (NodeIndex node = 0; node < 4; ++node) violated[node] = cluster.InViolation(node);
    const auto technique =
        ParseTechniqueName("annealing")
            .value()
            .technique->make({.cluster = cluster, .library = population.library, .seed = round});
    technique->Advance(1);
    while (cluster.InViolation(0)) {
      const auto move = technique->Relieve(0);
      if (!move) break;
      cluster.Take(move->tenant);
      cluster.Place(move->tenant, move->to);
      ASSERT_TRUE(violated[move->to] || !cluster.InViolation(move->to)) << round;
    }
    relieved += cluster.InViolation(0) ? 0 : 1;
  }
  EXPECT_GT(relieved, 20);
}

// Nodes of 1,000 of everything; every tenant is promised 300.
class PolicyOfTenants : public ::testing::Test {
 protected:
  NodeIndex Chosen(std::string_view policy, const std::vector<Demand>& loads,
                   const Demand& newcomer) {
    TenantCluster cluster(kNodeSpec, 3);
    const std::vector<TenantKind> kinds = {{"only", Demand(300, 300, 300)}};
    const auto technique = NewPolicyTechnique(
        {.cluster = cluster, .library = library_, .kinds = kinds, .policy = policy});
    for (std::size_t i = 0; i < loads.size(); ++i) {
      const auto node = static_cast<NodeIndex>(i % 3);
      const TenantNumber number = cluster.Add({.key = i}, {}, loads[i]);
      cluster.Place(number, node);
      technique->Placed(cluster.tenant(number));
    }
    technique->Advance(1);
    const TenantNumber number = cluster.Add({.key = 99, .creation = 1}, {}, newcomer);
    std::vector<NodeIndex> fits;
    cluster.FindFits(cluster.tenant(number), kNoNode, fits);
    return technique->Choose(cluster.tenant(number), fits);
  }

  // Some came to need all that they are promised, some a third.
  TraceLibrary library_ =
      TraceLibrary::Build({FitModel({.samples = std::vector<Demand>(50, Demand(300, 1, 1))}),
                           FitModel({.samples = std::vector<Demand>(50, Demand(100, 1, 1))})},
                          {"only"})
          .value();
};

TEST_F(PolicyOfTenants, PlacesByItsRules) {
  // Two on the first node, one on each of the others.
  const std::vector<Demand> loads = {Demand(10, 1, 1), Demand(600, 1, 1), Demand(20, 1, 1),
                                     Demand(10, 1, 1)};
  const Demand newcomer(10, 1, 1);
  EXPECT_EQ(Chosen("allocate: {rules: [best_fit]}", loads, newcomer), 0U);  // By what is promised.
  EXPECT_EQ(Chosen("allocate: {rules: [{best_fit: {of: usage}}]}", loads, newcomer), 1U);
  EXPECT_EQ(Chosen("allocate: {rules: [{worst_fit: {of: usage}}]}\noversub: {held_out: "
                   "{per_cluster: 0}}",
                   loads, newcomer),
            0U);
}

TEST_F(PolicyOfTenants, RefusesWhatItDoesNotTake) {
  // Three of 300 on each node, of 1,000: a fourth is promised too much, unless that is allowed.
  const std::vector<Demand> loads(9, Demand(10, 1, 1));
  EXPECT_EQ(Chosen("allocate: {rules: [best_fit]}", loads, Demand(10, 1, 1)), kNoNode);
  EXPECT_EQ(Chosen("oversubscription: {cpu: 200%, memory: 200%, disk: 200%}\nallocate: {rules: "
                   "[best_fit]}",
                   loads, Demand(10, 1, 1)),
            0U);
}

// Nodes 0 to 5 are in the fault domains 0, 1, 0, 1, 0, 1 and the update domains 0, 1, 2, 0, 1, 2.
TEST_F(PolicyOfTenants, IsAServiceThatKeepsItsReplicasApart) {
  TenantCluster cluster(kNodeSpec, 6, {.fault = 2, .update = 3});
  const std::vector<TenantKind> kinds = {{"only", Demand(300, 300, 300), 2}};
  const auto technique = NewPolicyTechnique({.cluster = cluster,
                                             .library = library_,
                                             .kinds = kinds,
                                             .policy = "allocate: {rules: [best_fit]}"});
  const auto put = [&](TenantNumber number, NodeIndex node) {
    cluster.Place(number, node);
    technique->Placed(cluster.tenant(number));
  };
  const auto take = [&](TenantNumber number) {
    const NodeIndex from = cluster.tenant(number).node;
    cluster.Take(number);
    technique->Left(cluster.tenant(number), from);
  };
  const auto add = [&](std::uint64_t key, std::optional<TenantNumber> first) {
    return cluster.Add({.key = key}, {}, Demand(10, 1, 1), first);
  };
  const std::vector<NodeIndex> all = {0, 1, 2, 3, 4, 5};
  const TenantNumber first = add(1, std::nullopt);
  const TenantNumber second = add(2, first);
  put(first, 4);
  // The fullest is the node of the first, and 1 is in its update domain.
  EXPECT_EQ(technique->Choose(cluster.tenant(second), all), 3U);
  put(second, 3);
  EXPECT_EQ(technique->Choose(cluster.tenant(second), all), 5U);
  const TenantNumber other = add(3, std::nullopt);
  EXPECT_EQ(technique->Choose(cluster.tenant(other), std::vector<NodeIndex>{0, 3}), 3U);
  take(first);  // The second stays.
  EXPECT_EQ(technique->Choose(cluster.tenant(other), std::vector<NodeIndex>{0, 3}), 3U);
  take(second);
  EXPECT_EQ(technique->Choose(cluster.tenant(other), std::vector<NodeIndex>{0, 3}), 0U);
}

TEST_F(PolicyOfTenants, LooksAhead) {
  // Three on the first node may come to need 900 and a fourth 1,200; the others hold one each.
  const std::vector<Demand> loads = {
      Demand(100, 1, 1), Demand(100, 1, 1), Demand(100, 1, 1), Demand(100, 1, 1), {}, {},
      Demand(100, 1, 1)};
  constexpr std::string_view kRatio = "oversubscription: {cpu: 900%, memory: 900%, disk: 900%}\n";
  const std::string blind = fmt::format("{}allocate: {{rules: [best_fit]}}", kRatio);
  const std::string ahead =
      fmt::format("{}allocate: {{rules: [violation_probability, best_fit]}}", kRatio);
  EXPECT_EQ(Chosen(blind, loads, Demand(100, 1, 1)), 0U);
  EXPECT_NE(Chosen(ahead, loads, Demand(100, 1, 1)), 0U);
}

// Three who are seen to need a third or all of what they are promised while nobody asks, and a
// third when somebody does. A fourth would join them by `best_fit`.
TEST_F(PolicyOfTenants, KnowsPeaksOfStepsInWhichNobodyAsked) {
  const auto chosen_after = [&](const Demand& peak) {
    TenantCluster cluster(kNodeSpec, 2);
    const std::vector<TenantKind> kinds = {{"only", Demand(300, 300, 300)}};
    const auto technique = NewPolicyTechnique(
        {.cluster = cluster,
         .library = library_,
         .kinds = kinds,
         .policy = "oversubscription: {cpu: 900%, memory: 900%, disk: 900%}\n"
                   "allocate: {rules: [{violation_probability: {theta: 0.5}}, best_fit]}"});
    std::vector<TenantNumber> there;
    for (std::uint64_t key = 0; key < 3; ++key) {
      there.push_back(cluster.Add({.key = key}, {}, Demand(100, 1, 1)));
      cluster.Place(there.back(), 0);
      technique->Placed(cluster.tenant(there.back()));
    }
    const auto report = [&](Step step, const Demand& demand) {
      technique->Advance(step);
      for (const TenantNumber number : there) {
        if (cluster.Update(number, demand, demand)) technique->Exceeded(cluster.tenant(number));
      }
    };
    report(1, peak);
    report(2, Demand(100, 1, 1));
    const TenantNumber newcomer = cluster.Add({.key = 99, .creation = 2}, {}, Demand(10, 1, 1));
    return technique->Choose(cluster.tenant(newcomer), std::vector<NodeIndex>{0, 1});
  };
  EXPECT_EQ(chosen_after(Demand(100, 1, 1)), 0U);
  EXPECT_EQ(chosen_after(Demand(300, 1, 1)), 1U);
}

Risk RiskOf(std::uint32_t before, std::uint32_t after) {
  return {.before = before, .after = after, .after_of = {}};
}

// Those answered when no node is safe.
std::vector<NodeIndex> NodesOfLeast(ViolationEstimate::Least least,
                                    const std::vector<ViolationEstimate::Scored>& scored) {
  const TenantCluster cluster(kNodeSpec, 1);
  const TraceLibrary library = TraceLibrary::Build({}).value();
  const std::vector<TenantKind> kinds;
  return ViolationEstimate({.cluster = cluster, .library = library, .kinds = kinds}, least)
      .LeastHarmed(scored);
}

TEST(LeastHarm, IsNotWhereAViolationIsCertainAnyway) {
  using enum ViolationEstimate::Least;
  // Delta is 0 on the first, 1 on the second, 4 on the third: 4 of 80 is least.
  const std::vector<ViolationEstimate::Scored> scored = {
      {0, RiskOf(100, 100)}, {1, RiskOf(98, 99)}, {2, RiskOf(20, 24)}};
  EXPECT_EQ(NodesOfLeast(kHarm, scored), std::vector<NodeIndex>{2});
  EXPECT_EQ(NodesOfLeast(kRise, scored), std::vector<NodeIndex>{1});
  const std::vector<ViolationEstimate::Scored> certain = {{4, RiskOf(100, 100)},
                                                          {5, RiskOf(30, 100)}};
  EXPECT_EQ(NodesOfLeast(kHarm, certain), (std::vector<NodeIndex>{4, 5}));
  EXPECT_EQ(NodesOfLeast(kRise, certain), std::vector<NodeIndex>{5});
}

}  // namespace
}  // namespace berth
