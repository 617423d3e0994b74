// What every smoother keeps to, over all of smoothers.def, and cases of each worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "berth/rng.h"
#include "scale/scaler.h"
#include "scale/smoother.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

constexpr SmoothingSettings kAllOfThem = {
    .defer_down = hours(2), .halve_in = hours(1), .ignore_below = 0.1, .starting_max = 0.2};

const SmootherEntry& Find(std::string_view name) {
  return *std::ranges::find(Smoothers(), name, &SmootherEntry::name);
}

CountAsk RandomAsk(Rng& rng, Time at) {
  CountAsk ask{.at = at,
               .wanted = static_cast<std::uint32_t>(rng.Below(200)),
               .replicas = static_cast<std::uint32_t>(rng.Below(200)),
               .starting = 0};
  ask.starting = static_cast<std::uint32_t>(rng.Below(ask.replicas + 1));
  return ask;
}

TEST(Smoothers, AreOffUnlessAskedFor) {
  for (const SmootherEntry& entry : Smoothers()) {
    EXPECT_EQ(entry.make({}), nullptr) << entry.name;
    EXPECT_NE(entry.make(kAllOfThem), nullptr) << entry.name;
  }
}

TEST(Smoothers, GoOnWhereTheyWereSavedAndSurviveOtherBytes) {
  for (const SmootherEntry& entry : Smoothers()) {
    Rng rng(5);
    const auto kept = entry.make(kAllOfThem);
    auto restarted = entry.make(kAllOfThem);
    Time now(hours(100));
    for (int i = 0; i < 2000; ++i) {
      now += minutes(1 + static_cast<std::int64_t>(rng.Below(30)));
      const CountAsk ask = RandomAsk(rng, now);
      ASSERT_EQ(kept->Smooth(ask), restarted->Smooth(ask)) << entry.name;
      if (i % 20 > 0) continue;
      const std::string good = kept->Save();
      restarted = entry.make(kAllOfThem);
      ASSERT_TRUE(restarted->Restore(good).ok()) << entry.name;
      std::string bad = good + "x";
      bad[rng.Below(bad.size())] = static_cast<char>(rng.Below(256));
      if (restarted->Restore(bad).ok()) {
        ASSERT_TRUE(restarted->Restore(good).ok());
      }
      EXPECT_LT(good.size(), 8192U);
    }
  }
}

// Each gives something between what is there and what is wanted, but for deferred downscaling,
// which gives what was wanted once.
TEST(Smoothers, StayBetweenWhatIsAndWhatIsWanted) {
  Rng rng(8);
  for (const SmootherEntry& entry : Smoothers()) {
    const auto smoother = entry.make(kAllOfThem);
    Time now(hours(100));
    for (int i = 0; i < 5000; ++i) {
      now += minutes(static_cast<std::int64_t>(rng.Below(30)));
      const CountAsk ask = RandomAsk(rng, now);
      const std::uint32_t count = smoother->Smooth(ask);
      if (entry.name == "deferred_downscaling") {
        ASSERT_GE(count, ask.wanted);
      } else {
        ASSERT_GE(count, std::min(ask.wanted, ask.replicas)) << entry.name;
        ASSERT_LE(count, std::max(ask.wanted, ask.replicas)) << entry.name;
      }
    }
  }
}

// Who wants more never gets less.
TEST(Smoothers, AreMonotoneInWhatIsWanted) {
  Rng rng(9);
  for (const SmootherEntry& entry : Smoothers()) {
    const auto less = entry.make(kAllOfThem);
    const auto more = entry.make(kAllOfThem);
    Time now(hours(100));
    for (int i = 0; i < 3000; ++i) {
      now += minutes(static_cast<std::int64_t>(rng.Below(30)));
      CountAsk ask = RandomAsk(rng, now);
      // The same past: a decay that began is one of both or of none.
      ASSERT_TRUE(more->Restore(less->Save()).ok());
      const std::uint32_t low = less->Smooth(ask);
      ask.wanted += static_cast<std::uint32_t>(rng.Below(20));
      ASSERT_LE(low, more->Smooth(ask)) << entry.name;
    }
  }
}

TEST(DeferredDownscaling, IsTheMostThatWasWantedInTheTime) {
  const auto smoother = Find("deferred_downscaling").make({.defer_down = minutes(30)});
  Rng rng(4);
  std::deque<CountAsk> asked;
  Time now(hours(1));
  for (int i = 0; i < 3000; ++i) {
    now += minutes(1 + static_cast<std::int64_t>(rng.Below(8)));
    asked.push_back(RandomAsk(rng, now));
    while (asked.front().at <= now - minutes(30)) asked.pop_front();
    ASSERT_EQ(smoother->Smooth(asked.back()),
              std::ranges::max(asked, {}, &CountAsk::wanted).wanted);
  }
}

// 100 replicas, ten wanted. After a step 100 / 2^(1/12) = 94.4, after six 70.7, after twelve 50.
TEST(SlowDecay, HalvesInAnHourByStepsOfFiveMinutes) {
  const auto smoother = Find("slow_decay").make({.halve_in = hours(1)});
  std::uint32_t replicas = 100;
  std::vector<std::uint32_t> counts;
  for (int minute = 0; minute <= 120; ++minute) {
    replicas = smoother->Smooth({.at = Time(minutes(minute)), .wanted = 10, .replicas = replicas});
    counts.push_back(replicas);
  }
  EXPECT_EQ(counts[4], 100U);
  EXPECT_EQ(counts[5], 95U);
  EXPECT_EQ(counts[9], 95U);
  EXPECT_EQ(counts[30], 71U);
  EXPECT_EQ(counts[60], 50U);
  EXPECT_EQ(counts[120], 25U);
}

// 3 / 2^(k/12) is at most 2 from the eighth step on.
TEST(SlowDecay, HoldsForAFewReplicas) {
  const auto smoother = Find("slow_decay").make({.halve_in = hours(1)});
  std::uint32_t replicas = 3;
  int gone_at = 0;
  for (int minute = 0; minute <= 60 && replicas == 3; minute += 5) {
    replicas = smoother->Smooth({.at = Time(minutes(minute)), .wanted = 1, .replicas = replicas});
    gone_at = minute;
  }
  EXPECT_EQ(replicas, 2U);
  EXPECT_EQ(gone_at, 40);
}

TEST(SlowDecay, BeginsAnewWhenMoreWereWanted) {
  const auto smoother = Find("slow_decay").make({.halve_in = hours(1)});
  EXPECT_EQ(smoother->Smooth({.at = Time(minutes(0)), .wanted = 1, .replicas = 40}), 40U);
  EXPECT_EQ(smoother->Smooth({.at = Time(minutes(60)), .wanted = 1, .replicas = 40}), 20U);
  EXPECT_EQ(smoother->Smooth({.at = Time(minutes(65)), .wanted = 40, .replicas = 20}), 40U);
  EXPECT_EQ(smoother->Smooth({.at = Time(minutes(70)), .wanted = 1, .replicas = 40}), 40U);
  EXPECT_EQ(smoother->Smooth({.at = Time(minutes(130)), .wanted = 1, .replicas = 40}), 20U);
}

TEST(SmallChanges, ATenthIsLeft) {
  const auto smoother = Find("small_changes").make({.ignore_below = 0.1});
  const auto smooth = [&](std::uint32_t wanted, std::uint32_t replicas) {
    return smoother->Smooth({.at = Time(), .wanted = wanted, .replicas = replicas});
  };
  EXPECT_EQ(smooth(22, 20), 20U);
  EXPECT_EQ(smooth(23, 20), 23U);
  EXPECT_EQ(smooth(18, 20), 20U);
  EXPECT_EQ(smooth(17, 20), 17U);
  EXPECT_EQ(smooth(1, 0), 1U);
}

// Ten that answer may be 80% of 12.5: two start. While these do, no more.
TEST(LimitedGrowth, AFifthMayBeStarting) {
  const auto smoother = Find("limited_growth").make({.starting_max = 0.2});
  const auto smooth = [&](std::uint32_t wanted, std::uint32_t replicas, std::uint32_t starting) {
    return smoother->Smooth(
        {.at = Time(), .wanted = wanted, .replicas = replicas, .starting = starting});
  };
  EXPECT_EQ(smooth(50, 10, 0), 12U);
  EXPECT_EQ(smooth(50, 12, 2), 12U);
  EXPECT_EQ(smooth(50, 12, 1), 13U);
  EXPECT_EQ(smooth(50, 20, 0), 25U);
  EXPECT_EQ(smooth(11, 10, 0), 11U);
  EXPECT_EQ(smooth(3, 10, 0), 3U);
  // One at least: otherwise few replicas would never become more.
  EXPECT_EQ(smooth(5, 1, 0), 2U);
  EXPECT_EQ(smooth(5, 0, 0), 1U);
}

}  // namespace
}  // namespace berth
