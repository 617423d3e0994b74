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

TEST(QosScheduler, DecidesAsThePlainOne) {
  Seen seen;
  const testing::ForbidsHosts filter;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Rng rng(seed);
    SchedulerOptions options{.classes = testing::RandomClasses(rng),
                             .allocation_time = std::chrono::seconds(rng.Below(3) * 11)};
    const auto plain = NewPlainQosScheduler(options, filter);
    const auto fast = NewQosScheduler(options, filter);
    testing::World world(rng.Fork("world"), {plain.get(), fast.get()});
    for (int step = 0; step < 30; ++step) {
      world.Step();
      const std::string expected = world.Pass(0);
      ASSERT_EQ(world.Pass(1), expected) << "seed " << seed << ", step " << step;
      ASSERT_EQ(fast->waiting(), plain->waiting());
    }
    Count(*plain, plain->Pass(world.now() + std::chrono::seconds(60)), seen);
  }
  EXPECT_GT(seen.grants, 500U);
  EXPECT_GT(seen.preemptions, 300U);
  EXPECT_GT(seen.several_victims, 50U);
  EXPECT_GT(seen.at_risk_victims, 50U);
  EXPECT_GT(seen.left_waiting, 500U);
}

}  // namespace
}  // namespace berth
