#include "rightsize/recommenders/window.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "berth/rng.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

void Observe(Recommender& recommender, Resource resource, std::vector<float> samples, Time end) {
  WindowHistogram histogram;
  for (const float sample : samples) histogram.Add(Buckets::Of(resource).Find(sample));
  recommender.Observe({.end = end, .samples = samples, .histogram = histogram});
}

TEST(MovingWindow, TheKindOfServiceSaysWhichStatistic) {
  using enum UsageStatistic;
  EXPECT_EQ(StatisticFor({.cpu = CpuKind::kBatch}), kMean);
  EXPECT_EQ(StatisticFor({.cpu = CpuKind::kServing}), kP90);
  EXPECT_EQ(StatisticFor({.cpu = CpuKind::kLatencySensitive}), kP95);
  const auto memory = [](OomTolerance oom) {
    return StatisticFor({.resource = Resource::kMemory, .oom = oom});
  };
  EXPECT_EQ(memory(OomTolerance::kMinimal), kMax);
  EXPECT_EQ(memory(OomTolerance::kLow), kP98);
  EXPECT_EQ(memory(OomTolerance::kIntermediate), kP60OrHalfMax);
}

TEST(MovingWindow, TheMarginFallsWithSize) {
  EXPECT_DOUBLE_EQ(SafetyMargin(Resource::kCpu, 100), 0.15);
  EXPECT_DOUBLE_EQ(SafetyMargin(Resource::kCpu, 1000), 0.15);
  EXPECT_DOUBLE_EQ(SafetyMargin(Resource::kCpu, 1000 * std::sqrt(32.0)), 0.125);
  EXPECT_DOUBLE_EQ(SafetyMargin(Resource::kCpu, 640'000), 0.10);
  EXPECT_DOUBLE_EQ(SafetyMargin(Resource::kMemory, 0x1p35), 0.10);
}

TEST(MovingWindow, FallsAnHourAfterTheReasonIsGone) {
  MovingWindow batch({.cpu = CpuKind::kBatch});
  Observe(batch, Resource::kCpu, {4000}, Time(hours(24)));
  const std::int64_t high = batch.Recommend()->target;
  for (int i = 1; i < 12; ++i) {
    Observe(batch, Resource::kCpu, {100}, Time(hours(24) + minutes(5) * i));
    EXPECT_EQ(batch.Recommend()->target, high);
  }
  Observe(batch, Resource::kCpu, {100}, Time(hours(25)));
  EXPECT_LT(batch.Recommend()->target, high);
}

TEST(MovingWindow, ThePeakIsThatOfAWeek) {
  MovingWindow memory({.resource = Resource::kMemory, .oom = OomTolerance::kMinimal});
  Rng rng(5);
  std::deque<std::pair<Time, float>> week;
  Time now(hours(1000));
  for (int i = 0; i < 2000; ++i) {
    now += minutes(5) * static_cast<std::int64_t>(1 + rng.Below(30));
    const float used = static_cast<float>(0x1p30 * std::exp(rng.Normal()));
    week.emplace_back(now, used);
    const auto hour = [](Time at) {
      return std::chrono::floor<hours>(at.time_since_epoch()).count();
    };
    while (hour(now) - hour(week.front().first) >= 168) week.pop_front();
    float peak = 0;
    for (const auto& [at, each] : week) peak = std::max(peak, each);
    Observe(memory, Resource::kMemory, {used}, now);
    const Buckets& buckets = Buckets::Of(Resource::kMemory);
    const auto raw = static_cast<double>(buckets.bound(buckets.Find(peak)));
    // At least that of now; an earlier one of this hour may have been more.
    EXPECT_GE(static_cast<double>(memory.Recommend()->target),
              std::floor(raw * (1 + SafetyMargin(Resource::kMemory, raw)) * (1 - 1e-6)));
  }
}

TEST(MovingWindow, WantsMoreAfterAnOutOfMemory) {
  MovingWindow memory({.resource = Resource::kMemory, .oom = OomTolerance::kMinimal});
  EXPECT_EQ(memory.Recommend(), std::nullopt);
  memory.ObserveOom(std::int64_t{1} << 30, Time(hours(1)));
  EXPECT_GE(memory.Recommend()->target, static_cast<std::int64_t>(1.2 * 1.1 * 0x1p30));
  EXPECT_NE(memory.Why().find("peak of a week"), std::string::npos) << memory.Why();
}

}  // namespace
}  // namespace berth
