#include "rightsize/recommenders/vpa.h"

#include <gtest/gtest.h>

#include <cmath>

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

void ObserveValue(Recommender& recommender, Resource resource, float value, Time end) {
  WindowHistogram histogram;
  histogram.Add(Buckets::Of(resource).Find(value));
  recommender.Observe({.end = end, .samples = std::span(&value, 1), .histogram = histogram});
}

TEST(Vpa, HasItsBuckets) {
  const Vpa cpu({});
  EXPECT_DOUBLE_EQ(cpu.StartOf(1), 10);
  EXPECT_NEAR(cpu.StartOf(2), 20.5, 1e-9);  // The next is 5% wider.
  EXPECT_LT(cpu.StartOf(174), 1'000'000);   // A thousand cores lie within the last.
  EXPECT_GT(cpu.StartOf(175), 1'000'000);
}

// A week at 100 millicores: bucket 8 ends at 10 * (1.05^9 - 1) / 0.05 = 110.27; with 15% 126.8. The
// upper bound is 1 + 1/7 times that.
TEST(Vpa, AWeekOfTheSameByHand) {
  Vpa cpu({});
  for (int i = 0; i <= 7 * 288; ++i) {
    ObserveValue(cpu, Resource::kCpu, 100, Time(hours(24) + minutes(5) * i));
  }
  EXPECT_NEAR(cpu.Percentile(0.9), 110.266, 1e-3);
  EXPECT_EQ(cpu.Recommend()->target, 127);
  EXPECT_DOUBLE_EQ(cpu.Confidence(), 7);
  EXPECT_EQ(cpu.Recommend()->lower, 127);  // 126.8 * (1 + 0.001/7)^-2 = 126.77.
  EXPECT_EQ(cpu.Recommend()->upper, 145);
}

TEST(Vpa, HalfADayTriplesTheUpperBound) {
  Vpa cpu({});
  for (int i = 0; i <= 144; ++i) {
    ObserveValue(cpu, Resource::kCpu, 100, Time(hours(24) + minutes(5) * i));
  }
  EXPECT_NEAR(static_cast<double>(cpu.Recommend()->upper) / 126.806, 3, 0.01);
}

TEST(Vpa, HasMinima) {
  Vpa cpu({});
  ObserveValue(cpu, Resource::kCpu, 1, Time(hours(1)));
  EXPECT_EQ(cpu.Recommend()->target, 25);
  Vpa memory({.resource = Resource::kMemory});
  ObserveValue(memory, Resource::kMemory, 1e6F, Time(hours(1)));
  EXPECT_EQ(memory.Recommend()->target, 250'000'000);
}

// Of each day the peak: 2e9 on nine days, 4e9 on the tenth at one moment. It has a tenth of the
// undecayed samples but most of the decayed weight: a day old counts half.
TEST(Vpa, OfMemoryTheDailyPeakCounts) {
  Vpa memory({.resource = Resource::kMemory});
  for (int day = 0; day < 10; ++day) {
    for (int i = 0; i < 288; ++i) {
      const bool spike = day == 9 && i == 100;
      ObserveValue(memory, Resource::kMemory, spike ? 4e9F : 2e9F,
                   Time(hours(24 * (day + 1)) + minutes(5) * i));
    }
  }
  EXPECT_GT(memory.Percentile(0.9), 4e9);
  EXPECT_LT(memory.Percentile(0.4), 2.2e9);
}

TEST(Vpa, AnOutOfMemoryIsAPeakAFifthHigher) {
  Vpa memory({.resource = Resource::kMemory});
  ObserveValue(memory, Resource::kMemory, 1e9F, Time(hours(1)));
  memory.ObserveOom(1'000'000'000, Time(hours(2)));
  EXPECT_GT(memory.Percentile(0.9), 1.2e9);
  EXPECT_LT(memory.Percentile(0.9), 1.2e9 * 1.05 + 1e7);
}

}  // namespace
}  // namespace berth
