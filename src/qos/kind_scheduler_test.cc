#include "qos/kind_scheduler.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "qos/plain_scheduler.h"
#include "qos/worlds_testing.h"

namespace berth {
namespace {

// What the worlds must have been about for the comparison to mean anything.
struct Seen {
  std::size_t grants = 0;
  std::size_t preemptions = 0;
  std::size_t several_victims = 0;
  std::size_t at_risk_victims = 0;
  std::size_t left_waiting = 0;
  std::size_t grown_by_preemption = 0;
};

void Count(const Scheduler& scheduler, const PassOutcome& decisions, Seen& seen) {
  for (const Grant& grant : decisions.grants) {
    const auto victims = decisions.VictimsOf(grant);
    ++seen.grants;
    seen.preemptions += victims.size();
    seen.several_victims += victims.size() > 1 ? 1U : 0U;
    for (const Victim& victim : victims) {
      const ClassTerms& terms = scheduler.TermsOf(scheduler.requests()[victim.request].want);
      seen.at_risk_victims += AtLeast(victim.leeway, terms.margin) ? 0U : 1U;
    }
  }
  seen.left_waiting += scheduler.waiting();
}

// Runs worlds of a size under both schedulers, which must decide the same.
Seen Compare(testing::WorldSize size, std::uint64_t seeds, int steps) {
  Seen seen;
  const testing::ForbidsHosts filter;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Rng rng(seed);
    SchedulerOptions options{.classes = testing::RandomClasses(rng),
                             .allocation_time = std::chrono::seconds(rng.Below(3) * 11)};
    const auto plain = NewPlainQosScheduler(options, filter);
    const auto fast = NewQosScheduler(options, filter);
    testing::World world(rng.Fork("world"), {plain.get(), fast.get()}, size);
    for (int step = 0; step < steps; ++step) {
      world.Step();
      const std::string expected = world.Pass(0);
      EXPECT_EQ(world.Pass(1), expected) << "seed " << seed << ", step " << step;
      EXPECT_EQ(fast->waiting(), plain->waiting());
      const std::string grown = world.GrowOne();
      EXPECT_NE(grown, "differ") << "seed " << seed << ", step " << step;
      seen.grown_by_preemption += grown.find(' ') == std::string::npos ? 0U : 1U;
      if (::testing::Test::HasFailure()) return seen;
    }
    Count(*plain, plain->Pass(world.now() + std::chrono::seconds(60)), seen);
  }
  return seen;
}

TEST(QosScheduler, DecidesAsThePlainOne) {
  const Seen seen = Compare({}, 1000, 30);
  EXPECT_GT(seen.grants, 500U);
  EXPECT_GT(seen.preemptions, 300U);
  EXPECT_GT(seen.several_victims, 50U);
  EXPECT_GT(seen.at_risk_victims, 50U);
  EXPECT_GT(seen.left_waiting, 500U);
  EXPECT_GT(seen.grown_by_preemption, 500U);
}

// Enough hosts that not all that might do are looked at.
TEST(QosScheduler, DecidesAsThePlainOneOnManyHosts) {
  const Seen seen = Compare({.hosts_least = 50, .hosts_most = 60, .arrivals_most = 40}, 32, 24);
  EXPECT_GT(seen.grants, 20U);
  EXPECT_GT(seen.left_waiting, 100U);
  EXPECT_GT(seen.grown_by_preemption, 100U);
}

}  // namespace
}  // namespace berth
