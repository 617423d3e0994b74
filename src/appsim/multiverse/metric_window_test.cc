#include "appsim/multiverse/metric_window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace berth::multiverse {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

Time At(Duration since) { return Time(since); }

TEST(MultiverseMetrics, AStepWiderThanTheGridHalvesTheMedianWithTheQuirk) {
  const MetricSpec median{.aggregator = AggregatorKind::kQuantile, .window = seconds(30)};
  MetricWindow window(milliseconds(50), minutes(2));
  for (int i = 1; i <= 600; ++i) window.Add(At(milliseconds(100) * i), i < 400 ? 0.9 : 0.4);
  Quirks quirks;
  // All of the last thirty seconds but the first ten are 0.4: 300 samples, 99 of 0.9.
  EXPECT_DOUBLE_EQ(*Aggregate(median, window, milliseconds(50), quirks), 0.4);
  quirks.Set(Quirk::kGapsCountAsZero, true);
  // 300 zeros and 300 values: halfway from zero to the least.
  EXPECT_DOUBLE_EQ(*Aggregate(median, window, milliseconds(50), quirks), 0.2);
}

TEST(MultiverseMetrics, AggregatesAreThoseOfTheLastWindow) {
  Rng rng(4);
  MetricWindow window(milliseconds(50), minutes(2));
  std::vector<std::pair<Time, double>> all;
  Time now{};
  for (int i = 0; i < 500; ++i) {
    now += milliseconds(50 * (1 + static_cast<int>(rng.Below(5))));
    all.emplace_back(now, rng.Unit());
    window.AddPlain(now, all.back().second);
  }
  std::vector<double> last;
  for (const auto& [at, value] : all) {
    if (at > now - seconds(4)) last.push_back(value);
  }
  std::sort(last.begin(), last.end());
  double sum = 0;
  for (const double value : last) sum += value;
  const auto n = static_cast<double>(last.size());
  const auto of = [&](AggregatorKind kind) {
    return *Aggregate({.aggregator = kind, .quantile = 0.25, .window = seconds(4)}, window,
                      std::nullopt, {});
  };
  EXPECT_DOUBLE_EQ(of(AggregatorKind::kMin), last.front());
  EXPECT_DOUBLE_EQ(of(AggregatorKind::kMax), last.back());
  EXPECT_NEAR(of(AggregatorKind::kSum), sum, 1e-9);
  EXPECT_NEAR(of(AggregatorKind::kMean), sum / n, 1e-9);
  const double place = 0.25 * (n - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  EXPECT_NEAR(of(AggregatorKind::kQuantile),
              last[below] + (place - std::floor(place)) * (last[below + 1] - last[below]), 1e-9);
}

TEST(MultiverseMetrics, SamplesAreAveragedOverTheInterval) {
  MetricWindow window(milliseconds(100), minutes(1));
  window.Add(At(milliseconds(50)), 1);
  window.Add(At(milliseconds(100)), 3);
  window.Add(At(milliseconds(150)), 5);
  EXPECT_EQ(window.samples().back().second, 4);
}

TEST(MultiverseMetrics, TheRatioRuleIsRoundedUpAndTheFactorCutWithTheQuirk) {
  const MetricGroupSpec group{.min_limit = 1, .max_limit = 10, .target = 0.8, .factor = 1.15};
  Quirks quirks;
  quirks.Set(Quirk::kTruncatedFactor, true);
  EXPECT_EQ(DesiredCount(group, 3, 0.97, quirks), 4U);  // 3 x 0.97 / 0.8 = 3.6; 4 x 1.15 = 4.6.
  EXPECT_EQ(DesiredCount(group, 3, 0.97, {}), 5U);
  EXPECT_EQ(DesiredCount(group, 3, 0.0, quirks), 1U);
  EXPECT_EQ(DesiredCount(group, 9, 8.0, quirks), 10U);
}

TEST(MultiverseMetrics, WithTheQuirkDecisionsWaitForTheNextFullMinute) {
  const MetricSpec metric{.forecast_frequency = minutes(1)};
  const MetricGroupSpec group{.stabiliser_grid = minutes(1)};
  Quirks quirks;
  quirks.Set(Quirk::kNextFullMinute, true);
  EXPECT_EQ(EffectTime(metric, group, At(seconds(150)), quirks), At(seconds(180)));
  EXPECT_EQ(EffectTime(metric, group, At(seconds(180)), quirks), At(seconds(180)));
  EXPECT_EQ(EffectTime(metric, {.stabiliser_grid = seconds(1)}, At(seconds(150)), {}),
            At(seconds(150)));
}

}  // namespace
}  // namespace berth::multiverse
