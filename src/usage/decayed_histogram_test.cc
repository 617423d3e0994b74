#include "usage/decayed_histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "berth/rng.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

WindowHistogram Of(std::initializer_list<double> values, const Buckets& buckets) {
  WindowHistogram window;
  for (const double value : values) window.Add(buckets.Find(value));
  return window;
}

TEST(Buckets, HoldWhatIsBelowTheirBound) {
  for (const Resource resource : {Resource::kCpu, Resource::kMemory}) {
    const Buckets& buckets = Buckets::Of(resource);
    EXPECT_EQ(buckets.Find(0), 0);
    for (UsageBucket b = 0; b < Buckets::kCount - 1; ++b) {
      const auto bound = static_cast<double>(buckets.bound(b));
      EXPECT_EQ(buckets.Find(bound), b + 1);
      EXPECT_EQ(buckets.Find(std::nextafter(bound, 0)), b);
    }
    EXPECT_EQ(buckets.Find(1e300), Buckets::kCount - 1);
  }
  EXPECT_GT(Buckets::Of(Resource::kCpu).bound(399), 1'000'000);
  EXPECT_GT(Buckets::Of(Resource::kMemory).bound(399), std::int64_t{1} << 41);
}

// Fig. 2 with its slip mended: nine instants at 1 and one at 10 are nine and ten units of load.
TEST(DecayedHistogram, AShareOfTheLoadIsNotAShareOfTheTime) {
  const Buckets buckets(1000);
  DecayedHistogram histogram(buckets, hours(1'000'000));
  WindowHistogram window;
  const UsageBucket one = buckets.Find(999);
  const UsageBucket ten = buckets.Find(9999);
  window.Add(one, 9);
  window.Add(ten, 1);
  histogram.Add(window, Time(hours(1)));
  EXPECT_EQ(histogram.Percentile(0.9), buckets.bound(one));
  EXPECT_EQ(histogram.LoadPercentile(0.9), buckets.bound(ten));
  EXPECT_EQ(histogram.Percentile(0), buckets.bound(one));
  EXPECT_EQ(histogram.Percentile(1), buckets.bound(ten));
}

// A window of one half-life ago is worth half: (100 + 0.5 * 400) / 1.5.
TEST(DecayedHistogram, TheMeanOfTwoWindowsByHand) {
  const Buckets buckets(1);
  DecayedHistogram histogram(buckets, hours(12));
  const UsageBucket low = buckets.Find(100);
  const UsageBucket high = buckets.Find(400);
  WindowHistogram window;
  window.Add(high, 7);
  histogram.Add(window, Time(hours(12)));
  window.Clear();
  window.Add(low, 3);
  histogram.Add(window, Time(hours(24)));
  const auto bound = [&](UsageBucket b) { return static_cast<double>(buckets.bound(b)); };
  EXPECT_NEAR(histogram.Mean(), (bound(low) + 0.5 * bound(high)) / 1.5, 1e-9);
}

// All windows kept, each with its age.
struct Slow {
  std::vector<std::pair<Time, WindowHistogram>> windows;

  // Whether the bound is the least that the share does not exceed, give or take rounding.
  void Expect(std::int64_t bound, double share, bool by_load, Time now, Duration half_life,
              const Buckets& buckets) const {
    double total = 0;
    double up_to = 0;
    double below = 0;
    for (const auto& [at, window] : windows) {
      const double worth = std::exp2(-static_cast<double>((now - at).count()) /
                                     static_cast<double>(half_life.count()));
      for (const WindowHistogram::Count& count : window.counts()) {
        const std::int64_t here = buckets.bound(count.bucket);
        const double weight = worth * count.samples * (by_load ? static_cast<double>(here) : 1);
        total += weight;
        if (here <= bound) up_to += weight;
        if (here < bound) below += weight;
      }
    }
    EXPECT_GE(up_to, (share - 1e-5) * total);
    EXPECT_LE(below, (share + 1e-5) * total);
  }
};

TEST(DecayedHistogram, SaysWhatAllSamplesWithTheirAgesSay) {
  Rng rng(3);
  const Buckets& buckets = Buckets::Of(Resource::kCpu);
  for (int run = 0; run < 30; ++run) {
    const Duration half_life = minutes(5 + rng.Below(2000));
    DecayedHistogram histogram(buckets, half_life);
    Slow slow;
    Time now(hours(400'000));
    for (int i = 0; i < 400; ++i) {
      now += minutes(5) * static_cast<std::int64_t>(rng.Below(20) == 0 ? 1 + rng.Below(200) : 1);
      const double level = 50 * std::exp(rng.Normal());
      slow.windows.emplace_back(now, Of({level, level * 1.5, level * 3}, buckets));
      histogram.Add(slow.windows.back().second, now);
      const double share = rng.Unit();
      slow.Expect(histogram.Percentile(share), share, false, now, half_life, buckets);
      slow.Expect(histogram.LoadPercentile(share), share, true, now, half_life, buckets);
    }
  }
}

TEST(DecayedHistogram, MonthsTakeAFewKilobytes) {
  Rng rng(4);
  const Buckets& buckets = Buckets::Of(Resource::kMemory);
  DecayedHistogram histogram(buckets, hours(48));
  for (int i = 0; i < 12 * 24 * 90; ++i) {
    histogram.Add(Of({0x1p30 * std::exp(0.3 * rng.Normal())}, buckets), Time(minutes(5) * i));
  }
  EXPECT_LT(histogram.bytes(), 1600U);
}

}  // namespace
}  // namespace berth
