#include "forecast/backtest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace berth {
namespace {

const ForecasterEntry& MethodNamed(std::string_view name) { return *FindForecaster(name).value(); }

TEST(Backtest, TheLastPointsAreHeldOut) {
  // Fitted to 1, 3, 2, 4: the last value 4, against 6 and 4.
  const TimeSeries series{.start = {}, .values = {1, 3, 2, 4, 6, 4}};
  const auto result = Backtest(MethodNamed("last_value"), series, {.horizon = 2, .fit = {}});
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_EQ(result.value().scores.points, 2U);
  EXPECT_DOUBLE_EQ(result.value().scores.mase.value(), 1.0 / (5.0 / 3));
  EXPECT_DOUBLE_EQ(result.value().scores.coverage, 1);
}

TEST(Backtest, AGapWhereTheyMeetIsForecastAcross) {
  const double gap = std::numeric_limits<double>::quiet_NaN();
  const TimeSeries series{.start = {}, .values = {1, 2, 1, 2, gap, gap, 1, 2}};
  const auto result =
      Backtest(MethodNamed("seasonal_naive"), series, {.horizon = 3, .fit = {.seasons = {2}}});
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_EQ(result.value().scores.points, 2U);
  EXPECT_DOUBLE_EQ(result.value().scores.interval_score, 0);
}

TEST(Backtest, AGapBeforeTheLongestHorizonIsForecastAcross) {
  TimeSeries series{.start = {}, .values = std::vector<double>(10'040, 3)};
  series.values[39] = std::numeric_limits<double>::quiet_NaN();
  const auto result = Backtest(MethodNamed("average"), series, {.horizon = 10'000, .fit = {}});
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_EQ(result.value().scores.points, 9'999U);
}

TEST(Backtest, AGapLongerThanAForecastGoesIsToldOf) {
  TimeSeries series{.start = {}, .values = std::vector<double>(10'024, 3)};
  std::fill_n(series.values.begin() + 20, 10'000, std::numeric_limits<double>::quiet_NaN());
  const auto result = Backtest(MethodNamed("average"), series, {.horizon = 4, .fit = {}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().message(),
            "the gap before the last 4 points is longer than the 10,000 points that a forecast "
            "goes; lengthen the horizon, or take averages of longer steps");
}

TEST(Backtest, WhatAForecastRefusesIsRefused) {
  const TimeSeries series{.start = {}, .values = std::vector<double>(10'040, 3)};
  EXPECT_FALSE(Backtest(MethodNamed("average"), series, {.horizon = 0, .fit = {}}).ok());
  EXPECT_FALSE(Backtest(MethodNamed("average"), series, {.horizon = 10'001, .fit = {}}).ok());
}

TEST(Backtest, SomethingMustBeLeftToFit) {
  const TimeSeries series{.start = {}, .values = {1, 2, 3}};
  const auto result = Backtest(MethodNamed("average"), series, {.horizon = 3, .fit = {}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().message(),
            "the last 3 points would be held out, the series has 3, and average needs 2 before "
            "them; shorten the horizon");
}

}  // namespace
}  // namespace berth
