#include "qos/availability.h"

#include <gtest/gtest.h>

#include "berth/rng.h"

namespace berth {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

TEST(Availability, IsTheShareOfTimeRun) {
  EXPECT_EQ(Availability({minutes(58), minutes(2)}), 58.0 / 60);
  EXPECT_EQ(Availability({}), 1);
  EXPECT_EQ(Availability({seconds(0), seconds(5)}), 0);
  EXPECT_EQ(Availability({seconds(-1), seconds(5)}), 0);
}

TEST(Availability, IsComparedWithATargetExactly) {
  EXPECT_TRUE(Fulfils({seconds(90), seconds(10)}, 900'000));
  EXPECT_FALSE(Fulfils({seconds(90), seconds(10) + Duration(1)}, 900'000));
  EXPECT_TRUE(Fulfils({seconds(90), seconds(0)}, 1'000'000));
  EXPECT_FALSE(Fulfils({seconds(90), Duration(1)}, 1'000'000));
}

// The example of section 3.2: of two with a target of 90%, the one with less availability can wait
// longer.
TEST(Leeway, IsAsInThePapersExample) {
  const Leeway longer = LeewayOf({minutes(58), minutes(2)}, 900'000, {});
  const Leeway shorter = LeewayOf({minutes(10), {}}, 900'000, {});
  EXPECT_NEAR(longer.Micros() / 60e6, 4.4, 0.05);
  EXPECT_NEAR(shorter.Micros() / 60e6, 1.1, 0.02);
  EXPECT_GT(longer, shorter);
}

TEST(Leeway, IsNegativeOnceThePromiseIsBroken) {
  // 40 s at a target of one half could have waited 40 s: 20 s too long, and 5 s of allocation.
  EXPECT_EQ(LeewayOf({seconds(40), seconds(60)}, 500'000, seconds(5)).Micros(), -25e6);
  // A new one has none, less what its allocation takes.
  EXPECT_EQ(LeewayOf({}, 900'000, seconds(22)).Micros(), -22e6);
}

TEST(Leeway, OfSeveralTargetsIsComparedWithoutRounding) {
  // 30 s / 0.3 - 30 s = 70 s, 70 s / 0.5 - 70 s = 70 s: a tie, that a microsecond breaks.
  const Leeway third = LeewayOf({seconds(30), {}}, 300'000, {});
  EXPECT_EQ(third, LeewayOf({seconds(70), {}}, 500'000, {}));
  EXPECT_LT(third, LeewayOf({seconds(70) + Duration(1), {}}, 500'000, {}));
  EXPECT_GT(third, LeewayOf({seconds(70), Duration(1)}, 500'000, {}));
}

TEST(Leeway, KeysStayWhileTimePasses) {
  Rng rng(7);
  for (int i = 0; i < 1000; ++i) {
    const auto target = static_cast<std::uint32_t>(1 + rng.Below(1'000'000));
    const auto micros = [&] {
      return Duration(static_cast<std::int64_t>(rng.Below(std::uint64_t{1} << 50)));
    };
    const Delivered before{micros(), micros()};
    const Time since = Time(micros());
    const Duration passed = micros();
    const Duration allocation = micros();
    const Leeway start = LeewayOf(before, target, allocation);
    const Leeway ran = LeewayOf({before.ran + passed, before.waited}, target, allocation);
    const Leeway waited = LeewayOf({before.ran, before.waited + passed}, target, allocation);
    EXPECT_TRUE(RunningKey(start, since) == RunningKey(ran, since + passed));
    EXPECT_TRUE(WaitingKey(start, since) == WaitingKey(waited, since + passed));
    EXPECT_EQ(FromRunningKey(RunningKey(start, since), target, since + passed), ran);
    EXPECT_EQ(FromWaitingKey(WaitingKey(start, since), target, since + passed), waited);
  }
}

}  // namespace
}  // namespace berth
