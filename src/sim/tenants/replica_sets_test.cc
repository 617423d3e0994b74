#include "sim/tenants/replica_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace berth {
namespace {

struct PoolReplica {
  int tenant_class = 0;
  TenantRole role{};
  std::size_t lifetime = 0;
};

TenantPopulation PopulationWith(const std::vector<PoolReplica>& replicas) {
  TenantPool pool(1);
  for (const PoolReplica& replica : replicas) {
    pool.Add({.tenant_class = TenantClass{static_cast<std::uint16_t>(replica.tenant_class)},
              .role = replica.role,
              .samples = std::vector<Demand>(replica.lifetime)},
             1'000);
  }
  return {.name = "testing",
          .kinds = {{"three", {}, 3}, {"two", {}, 2}, {"one", {}, 1}},
          .pool = std::move(pool),
          .library = TraceLibrary::Build({}).value()};
}

using Places = std::vector<std::size_t>;

Places SecondariesOf(const ReplicaSets& sets, const TenantPopulation& population,
                     std::size_t primary) {
  const auto places = sets.SecondariesOf(population.pool.tenant(primary));
  return {places.begin(), places.end()};
}

TEST(ReplicaSets, APrimaryBringsTheSecondariesThatLivedTheNextLongest) {
  using enum TenantRole;
  const TenantPopulation population = PopulationWith({{0, kPrimary, 100},
                                                      {0, kSecondary, 50},
                                                      {0, kSecondary, 120},
                                                      {0, kSecondary, 100},
                                                      {0, kSecondary, 300},
                                                      {0, kSecondary, 99},
                                                      {0, kPrimary, 1},
                                                      {0, kPrimary, 101},
                                                      {0, kPrimary, 121},
                                                      {0, kPrimary, 1'000}});
  const ReplicaSets sets(population, true);
  EXPECT_EQ(SecondariesOf(sets, population, 0), (Places{3, 2}));  // 100 and 120, of its 100.
  EXPECT_EQ(SecondariesOf(sets, population, 6), (Places{1, 5}));  // 50 and 99.
  EXPECT_EQ(SecondariesOf(sets, population, 7), (Places{2, 4}));  // 120 and 300.
  // One or none lived as long: the two that lived longest.
  EXPECT_EQ(SecondariesOf(sets, population, 8), (Places{2, 4}));
  EXPECT_EQ(SecondariesOf(sets, population, 9), (Places{2, 4}));
}

TEST(ReplicaSets, BringsWhomTheClassHasAndNobodyOfAnother) {
  using enum TenantRole;
  const TenantPopulation population = PopulationWith({{0, kPrimary, 10},
                                                      {0, kSecondary, 5},
                                                      {1, kPrimary, 10},
                                                      {2, kPrimary, 10},
                                                      {2, kSecondary, 10}});
  const ReplicaSets sets(population, true);
  EXPECT_EQ(SecondariesOf(sets, population, 0), Places{1});  // There is no second one.
  EXPECT_EQ(SecondariesOf(sets, population, 2), Places{});
  EXPECT_EQ(SecondariesOf(sets, population, 3), Places{});  // Its class has one replica.
}

TEST(ReplicaSets, DrawsPrimariesOrWhenNotWholeEachByItself) {
  using enum TenantRole;
  const TenantPopulation population = PopulationWith(
      {{0, kSecondary, 10}, {0, kPrimary, 10}, {1, kPrimary, 10}, {0, kSecondary, 9}});
  const auto drawn = [&](bool whole) {
    const ReplicaSets sets(population, whole);
    Rng rng(1);
    std::set<std::size_t> places;
    for (int i = 0; i < 100; ++i) places.insert(sets.Draw(rng));
    return places;
  };
  EXPECT_EQ(drawn(true), (std::set<std::size_t>{1, 2}));
  EXPECT_EQ(drawn(false), (std::set<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(SecondariesOf(ReplicaSets(population, false), population, 1), Places{});
}

// Of a pool whose primaries have just their secondaries: 6, 6 and 5 replicas of 17 either way.
TEST(ReplicaSets, MixClassesAsReplicasOneByOne) {
  using enum TenantRole;
  std::vector<PoolReplica> replicas(6, {0, kSecondary, 10});
  std::fill_n(replicas.begin(), 2, PoolReplica{0, kPrimary, 10});
  for (const TenantRole role : {kPrimary, kSecondary})
    replicas.insert(replicas.end(), 3, {1, role, 10});
  replicas.insert(replicas.end(), 5, {2, kPrimary, 10});
  const TenantPopulation population = PopulationWith(replicas);
  for (const bool whole : {false, true}) {
    const ReplicaSets sets(population, whole);
    std::array<double, 3> counts{};
    double all = 0;
    Rng rng(5);
    for (int i = 0; i < 20'000; ++i) {
      const PooledTenant& first = population.pool.tenant(sets.Draw(rng));
      const double come = 1 + static_cast<double>(sets.SecondariesOf(first).size());
      counts[static_cast<std::size_t>(first.tenant_class)] += come;
      all += come;
    }
    EXPECT_NEAR(counts[0] / all, 6 / 17.0, 0.01) << whole;
    EXPECT_NEAR(counts[1] / all, 6 / 17.0, 0.01) << whole;
    EXPECT_NEAR(counts[2] / all, 5 / 17.0, 0.01) << whole;
  }
}

}  // namespace
}  // namespace berth
