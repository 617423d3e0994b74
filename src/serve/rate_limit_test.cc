#include "serve/rate_limit.h"

#include <gtest/gtest.h>

#include <deque>

#include "berth/rng.h"

namespace berth {
namespace {

Time At(std::int64_t millis) { return Time(std::chrono::milliseconds(millis)); }

TEST(RateLimit, ASecondsWorthAtOnceThenOneByOne) {
  RateLimit limit(4);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(limit.Take("ci", At(0)));
  EXPECT_FALSE(limit.Take("ci", At(0)));
  EXPECT_FALSE(limit.Take("ci", At(249)));
  EXPECT_TRUE(limit.Take("ci", At(250)));
  EXPECT_FALSE(limit.Take("ci", At(251)));
}

TEST(RateLimit, CallersDoNotShare) {
  RateLimit limit(1);
  EXPECT_TRUE(limit.Take("a", At(0)));
  EXPECT_TRUE(limit.Take("b", At(0)));
  EXPECT_FALSE(limit.Take("a", At(0)));
}

TEST(RateLimit, NoneTakesEverything) {
  RateLimit limit(0);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(limit.Take("a", At(0)));
}

TEST(RateLimit, AClockThatIsSetBackNeitherFillsNorLocksOut) {
  RateLimit limit(1);
  EXPECT_TRUE(limit.Take("a", At(10'000)));
  EXPECT_FALSE(limit.Take("a", At(5'000)));
  EXPECT_TRUE(limit.Take("a", At(6'000)));
}

// Whatever comes when: in any second there are at most two seconds' worth, which is what a second's
// worth at once and the second's own allow.
TEST(RateLimit, NeverMoreThanTwiceTheRateInAnySecond) {
  Rng rng(7);
  RateLimit limit(20);
  std::deque<std::int64_t> taken;
  std::int64_t now = 0;
  for (int i = 0; i < 20'000; ++i) {
    now += static_cast<std::int64_t>(rng.Below(60));
    if (!limit.Take("a", At(now))) continue;
    taken.push_back(now);
    while (taken.front() <= now - 1000) taken.pop_front();
    ASSERT_LE(taken.size(), 40U);
  }
}

}  // namespace
}  // namespace berth
