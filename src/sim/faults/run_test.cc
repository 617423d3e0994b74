#include "sim/faults/run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/faults/seeds.h"

namespace berth {
namespace {

using faults::Fault;
using faults::PlantedBug;

TEST(FaultSimulation, OneSeedIsOneHistory) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const FaultResult once = SimulateFaults({.seed = seed});
    const FaultResult again = SimulateFaults({.seed = seed});
    EXPECT_EQ(once.unseed, again.unseed);
    EXPECT_EQ(once.steps, again.steps);
    EXPECT_EQ(once.story, again.story);
    EXPECT_NE(once.unseed, SimulateFaults({.seed = seed + 100}).unseed);
  }
}

TEST(FaultSimulation, EveryInvariantHoldsAndEveryFaultHappens) {
  for (std::uint64_t seed = 1000; seed < 1005; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const FaultResult result = SimulateFaults({.seed = seed});
    EXPECT_EQ(result.broken.value_or(""), "");
    EXPECT_GE(result.steps, kFaultStepsMin);
    for (std::size_t i = 0; i < faults::kFaultCount; ++i) {
      EXPECT_GT(result.faults[i], 0U) << ToString(static_cast<Fault>(i));
    }
    EXPECT_GT(result.store.commits, 0U);
    EXPECT_GT(result.store.conflicts, 0U);
    EXPECT_GT(result.store.merged, 0U);
    EXPECT_GT(result.store.duplicates, 0U);
    EXPECT_GT(result.clients.retries, 0U);
    EXPECT_GT(result.clients.acknowledged, 0U);
  }
}

TEST(FaultSimulation, EveryInvariantHoldsWhereASchedulerDecidesWhoYields) {
  std::uint64_t preemptions = 0;
  for (std::uint64_t seed = 2000; seed < 2014; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const FaultResult result = SimulateFaults({.seed = seed, .scheduler = true});
    EXPECT_EQ(result.broken.value_or(""), "");
    preemptions += result.preemptions;
  }
  EXPECT_GT(preemptions, 10U);
  const FaultResult once = SimulateFaults({.seed = 2000, .scheduler = true});
  EXPECT_EQ(once.unseed, SimulateFaults({.seed = 2000, .scheduler = true}).unseed);
}

TEST(FaultSimulation, FindsEveryPlantedBugAndTellsTheStory) {
  for (const PlantedBug bug : faults::kPlantedBugs) {
    if (bug == PlantedBug::kNone) continue;
    const FaultSeedsResult result =
        SimulateFaultSeeds({.seeds = 2'000, .planted = bug}, [](std::uint64_t) {});
    ASSERT_TRUE(result.broken_seed.has_value()) << ToString(bug);
    fmt::print("{} was found in seed {}: {}\n", ToString(bug), *result.broken_seed,
               *result.sum.broken);
    ASSERT_FALSE(result.sum.story.empty());
    EXPECT_TRUE(result.sum.story.back().ends_with(*result.sum.broken));
  }
}

TEST(FaultSimulation, SeedsOneAfterTheOtherAddUp) {
  std::vector<std::uint64_t> told;
  const FaultSeedsResult two = SimulateFaultSeeds(
      {.first_seed = 5, .seeds = 2}, [&](std::uint64_t seed) { told.push_back(seed); });
  EXPECT_EQ(told, (std::vector<std::uint64_t>{5, 6}));
  EXPECT_EQ(two.seeds, 2U);
  EXPECT_EQ(two.sum.steps, SimulateFaults({.seed = 5}).steps + SimulateFaults({.seed = 6}).steps);
  EXPECT_FALSE(two.broken_seed.has_value());
}

TEST(FaultNames, ArePrintedAndReadBack) {
  for (const PlantedBug bug : faults::kPlantedBugs) {
    EXPECT_EQ(faults::ParsePlantedBug(ToString(bug)), bug);
  }
  EXPECT_EQ(faults::ParsePlantedBug("another"), std::nullopt);
}

}  // namespace
}  // namespace berth
