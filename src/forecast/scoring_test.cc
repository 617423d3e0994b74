#include "forecast/scoring.h"

#include <gtest/gtest.h>

#include <limits>

namespace berth {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

TEST(Scoring, TheIntervalScoreByHand) {
  EXPECT_DOUBLE_EQ(IntervalScore(2, 6, 5, 0.9), 4);
  EXPECT_NEAR(IntervalScore(2, 6, 1, 0.9), 4 + 20, 1e-12);
  EXPECT_NEAR(IntervalScore(2, 6, 6.5, 0.9), 4 + 10, 1e-12);
}

TEST(Scoring, AForecastByHand) {
  const Forecast forecast{
      .mean = {10, 10, 10, 10},
      .bands = {{.level = 0.5, .lower = {9, 9, 9, 9}, .upper = {11, 11, 11, 11}}}};
  // Distances 0, 2, 1 and a gap; interval scores 2, 2 + 4 * 1, 2.
  const std::vector<double> actual = {10, 12, 11, kNoValue};
  // Two points before: 3 and 1, and with the gap none.
  const std::vector<double> history = {1, 2, 4, 3, kNoValue};
  const auto scores = ScoreForecast(forecast, 0, actual, history, 2);
  ASSERT_TRUE(scores.has_value());
  EXPECT_EQ(scores->points, 3U);
  EXPECT_DOUBLE_EQ(scores->interval_score, 10.0 / 3);
  EXPECT_DOUBLE_EQ(scores->coverage, 2.0 / 3);
  EXPECT_DOUBLE_EQ(scores->mase.value(), 1.0 / 2);
  EXPECT_DOUBLE_EQ(scores->msis.value(), 10.0 / 3 / 2);
}

TEST(Scoring, WithoutAScaleOrValuesThereIsNoScore) {
  const Forecast forecast{.mean = {1}, .bands = {{.level = 0.5, .lower = {0}, .upper = {2}}}};
  const std::vector<double> flat = {3, 3, 3};
  const auto scores = ScoreForecast(forecast, 0, std::vector<double>{1}, flat, 1);
  ASSERT_TRUE(scores.has_value());
  EXPECT_FALSE(scores->mase.has_value());
  EXPECT_FALSE(scores->msis.has_value());
  EXPECT_FALSE(ScoreForecast(forecast, 0, std::vector<double>{kNoValue}, flat, 1).has_value());
}

}  // namespace
}  // namespace berth
