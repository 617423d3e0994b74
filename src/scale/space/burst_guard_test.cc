#include "scale/space/burst_guard.h"

#include <gtest/gtest.h>

#include "scale/space/space_testing.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

const BurstSettings kTwoMinutes = {.hold = minutes(2), .hold_max = minutes(8), .memory = hours(10)};

// Feeds one count a minute from the minute on, and tells how many of them were held.
int HeldMinutes(BurstGuard& guard, int& minute, std::uint32_t wanted, int count) {
  int held = 0;
  for (int i = 0; i < count; ++i) {
    if (guard.See(AtMinute(minute++), wanted)) ++held;
  }
  return held;
}

TEST(BurstGuard, TheFirstBurstIsServedAtOnceAndEachReturnWaitsTwiceAsLong) {
  BurstGuard guard(kTwoMinutes);
  int minute = 0;
  HeldMinutes(guard, minute, 2, 10);
  EXPECT_EQ(HeldMinutes(guard, minute, 10, 10), 0);
  for (const int held : {2, 4, 8, 8}) {  // At most hold_max.
    EXPECT_EQ(HeldMinutes(guard, minute, 2, 10), 0);
    EXPECT_EQ(HeldMinutes(guard, minute, 10, 10), held);
  }
}

TEST(BurstGuard, WhatIsHeldIsTheAverageAndNeverBelowWhatWasThereBefore) {
  BurstGuard guard({.hold = minutes(30), .memory = minutes(120)});
  int minute = 0;
  HeldMinutes(guard, minute, 4, 60);
  HeldMinutes(guard, minute, 20, 60);
  HeldMinutes(guard, minute, 4, 30);
  const auto hold = guard.See(AtMinute(minute), 20);
  ASSERT_TRUE(hold);
  // 4, then an hour towards 20: 4 + 16 (1 - e^-0.5) = 10.30; half an hour back towards 4:
  // 4 + 6.30 e^-0.25 = 8.90. Rounded up 9.
  EXPECT_EQ(hold->most, 9U);
  EXPECT_EQ(hold->until, AtMinute(minute + 30));
}

TEST(BurstGuard, AQuietMemoryForgets) {
  BurstGuard guard({.hold = minutes(2), .memory = minutes(30)});
  int minute = 0;
  HeldMinutes(guard, minute, 2, 5);
  HeldMinutes(guard, minute, 10, 5);
  HeldMinutes(guard, minute, 2, 60);
  EXPECT_EQ(HeldMinutes(guard, minute, 10, 5), 0);
}

TEST(BurstGuard, SmallSwingsAreNoBursts) {
  BurstGuard guard(kTwoMinutes);
  int minute = 0;
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(HeldMinutes(guard, minute, 10, 3), 0);
    EXPECT_EQ(HeldMinutes(guard, minute, 14, 3), 0);
  }
}

TEST(BurstGuard, IsOffWithoutAHold) {
  BurstGuard guard({});
  int minute = 0;
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(HeldMinutes(guard, minute, 1, 3) + HeldMinutes(guard, minute, 50, 3), 0);
  }
}

}  // namespace
}  // namespace berth
