#include "appsim/bursting_cpu.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "appsim/app_testing.h"
#include "appsim/simulate_app.h"
#include "berth/rng.h"

namespace berth {
namespace {

using std::chrono::seconds;

// Goes through every microsecond.
struct EveryMicrosecond {
  CpuBurst burst{};
  std::int64_t credit = 0;
  std::int64_t done = 0;
  std::int64_t throttled = 0;

  void Pass(std::int64_t uses) {
    const std::int64_t spends = uses - burst.baseline_milli;
    if (spends <= 0 || credit >= spends) {
      credit = std::min(burst.most, credit - spends);
      done += kFullSpeed;
    } else {
      done += std::max<std::int64_t>(1, burst.baseline_milli * kFullSpeed / uses);
      ++throttled;
    }
  }
  std::int64_t Until(std::int64_t work, std::int64_t uses) const {
    EveryMicrosecond later = *this;
    std::int64_t passed = 0;
    for (; later.done < work; ++passed) later.Pass(uses);
    return passed;
  }
};

TEST(BurstingCpu, IsWhatEveryMicrosecondAddsUpTo) {
  constexpr std::int64_t kCpu = 2'000;
  std::int64_t throttled = 0, capped = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Rng rng(seed);
    const auto below = [&](std::uint64_t bound) {
      return static_cast<std::int64_t>(rng.Below(bound));
    };
    const std::int64_t most = below(400'000);
    const CpuBurst burst{
        .baseline_milli = 1 + below(kCpu), .most = most, .start = rng.Below(2) == 0 ? 0 : most};
    std::int64_t now = below(1'000);
    EveryMicrosecond slow{.burst = burst, .credit = burst.start};
    BurstingCpu cpu(burst, kCpu, now);
    for (int change = 0; change < 30; ++change) {
      const std::int64_t asked = below(kCpu * 3 / 2);
      const std::int64_t uses = std::min(asked, kCpu);
      cpu.Ask(now, asked);
      const std::int64_t work = slow.done + below(200 * kFullSpeed);
      ASSERT_EQ(cpu.WhenDone(work), now + slow.Until(work, uses)) << "seed " << seed;
      const std::int64_t passes = below(300);
      for (std::int64_t i = 0; i < passes; ++i) slow.Pass(uses);
      now += passes / 2;
      if (rng.Below(2) == 0) cpu.Done(now);  // Looking does not change it.
      now += passes - passes / 2;
      ASSERT_EQ(cpu.Done(now), slow.done) << "seed " << seed;
      ASSERT_EQ(cpu.Throttled(now), slow.throttled) << "seed " << seed;
      capped += slow.credit == most ? 1 : 0;
    }
    throttled += slow.throttled;
  }
  EXPECT_GT(throttled, 10'000);
  EXPECT_GT(capped, 100);
}

TEST(BurstingCpu, HasNoBoundsThatARunReaches) {
  const std::int64_t most = kAppCreditsMax * kCpuCredit;
  const std::int64_t cpu_milli = kAppAmountMax[0];
  BurstingCpu saves({.baseline_milli = cpu_milli, .most = most}, cpu_milli, 0);
  EXPECT_EQ(saves.Done(kAppMicrosMax), kAppMicrosMax * kFullSpeed);
  BurstingCpu spends({.baseline_milli = 1, .most = most, .start = most}, cpu_milli, 0);
  spends.Ask(0, cpu_milli);
  EXPECT_EQ(spends.WhenDone(6'000'000 * kFullSpeed), 6'000'000);
  EXPECT_GT(spends.WhenDone(kAppMicrosMax * kFullSpeed), kAppMicrosMax);
  EXPECT_GT(spends.Throttled(kAppMicrosMax), kAppMicrosMax / 2);
}

// A request every second, from the first on, that needs one cpu for 300 ms. The node has two and
// earns a quarter of one.
AppModel OneByHand() {
  AppModel model = testing::TreeApp(1, 1, 1);
  model.duration = seconds(5);
  model.services[0].idle = {};
  model.request_types[0].need = {};
  model.request_types[0].need[0] = {.mean = 1'000};
  model.request_types[0].times[0] = {.upstream = {.mean = 3e5}};
  model.node_types[0].latency = {};
  model.node_types[0].burst = {.baseline_milli = 250, .most = kCpuCredit};
  model.regions[0].user_latency = {};
  model.regions[0].loads = {
      {.step = seconds(5), .rates = {1}, .arrivals = AppLoad::Arrivals::kEven}};
  return model;
}

TEST(BurstingCpu, RequestsTakeLongerWithoutCredits) {
  const AppOutcome outcome = SimulateApp(OneByHand(), {}).value();
  // Of cpu thousandths times microseconds there are 250,000,000 at the first request. It spends 750
  // more than is earned: 300 ms at full speed, and 25,000,000 are left. At the second there are
  // 200,000,000, which do for 266,666 us; the 33,334 us that are left take four times as long. At
  // the third 150,000,000 do for 200 ms, at the fourth 100,000,000 for 133,333 us.
  const TypeOutcome& type = outcome.types[0];
  EXPECT_EQ(type.answered, 4U);
  EXPECT_DOUBLE_EQ(type.response_us, 300'000 + 400'002 + 600'000 + 800'001);
  EXPECT_DOUBLE_EQ(type.waited_us, 0);
  EXPECT_DOUBLE_EQ(outcome.node_types[0].throttled_seconds, 0.133336 + 0.4 + 0.666668);
}

TEST(BurstingCpu, CreditsThatItStartsWithAndCannotHoldMatter) {
  AppModel model = OneByHand();
  model.node_types[0].burst.start = kCpuCredit;  // A cpu for a minute.
  EXPECT_DOUBLE_EQ(SimulateApp(model, {}).value().types[0].response_us, 4 * 300'000);
  // The first finds credits for 10 ms; the other 290 ms take 1160 ms. Those after it have to wait
  // for it, and find none.
  model.node_types[0].burst.most = 7'500'000;
  model.node_types[0].burst.start = 0;
  model.request_types[0].timeout = seconds(10);
  const AppOutcome outcome = SimulateApp(model, {}).value();
  EXPECT_EQ(outcome.types[0].answered, 3U);
  EXPECT_DOUBLE_EQ(outcome.types[0].response_us, 1'170'000 + 1'370'000 + 1'570'000);
}

TEST(BurstingCpu, ABaselineOfAllItsCpuIsNoBurst) {
  AppModel model = OneByHand();
  model.node_types[0].burst = {.baseline_milli = 2'000};
  const AppOutcome outcome = SimulateApp(model, {}).value();
  EXPECT_DOUBLE_EQ(outcome.types[0].response_us, 4 * 300'000);
  EXPECT_DOUBLE_EQ(outcome.node_types[0].throttled_seconds, 0);
}

}  // namespace
}  // namespace berth
