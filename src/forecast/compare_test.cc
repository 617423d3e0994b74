#include "forecast/compare.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

std::vector<const ForecasterEntry*> TwoMethods() {
  return {FindForecaster("average").value(), FindForecaster("seasonal_naive").value()};
}

TEST(Compare, TheBestIsTheOneWithTheLowestScore) {
  TimeSeries series{.start = {}, .values = {}};
  for (int i = 0; i < 40; ++i) series.values.push_back(i % 4 * 10 + (i % 3) * 0.1);
  const auto compared =
      CompareMethods(TwoMethods(), series, {.horizon = 8, .fit = {.seasons = {4}}});
  ASSERT_TRUE(compared.ok()) << compared.status().message();
  ASSERT_EQ(compared.value().size(), 2U);
  EXPECT_GT(compared.value()[0].backtest->interval_score,
            compared.value()[1].backtest->interval_score);
  EXPECT_EQ(BestOf(compared.value()).method, "seasonal_naive");
  EXPECT_EQ(compared.value()[1].forecast.mean.size(), 8U);
}

TEST(Compare, ASeriesShorterThanTheHorizonIsForecastWithoutScores) {
  const TimeSeries series{.start = {}, .values = {1, 2, 3}};
  const auto compared = CompareMethods(TwoMethods(), series, {.horizon = 5, .fit = {}});
  ASSERT_TRUE(compared.ok());
  EXPECT_FALSE(compared.value()[0].backtest.has_value());
  EXPECT_EQ(BestOf(compared.value()).method, "average");
  EXPECT_EQ(compared.value()[0].notes.back(),
            "no score of average: the last 5 points would be held out, the series has 3, and "
            "average needs 2 before them; shorten the horizon");
}

TEST(Compare, WithoutAScoreOfItTheDefaultMethodIsUsed) {
  TimeSeries series{.start = {}, .values = {}};
  for (int i = 0; i < 30; ++i) series.values.push_back(i % 4 * 10 + (i % 3) * 0.1);
  const std::vector<const ForecasterEntry*> methods = {FindForecaster("last_value").value(),
                                                       FindForecaster(kDefaultForecaster).value()};
  const auto compared = CompareMethods(methods, series, {.horizon = 25, .fit = {.seasons = {4}}});
  EXPECT_TRUE(compared.value()[0].backtest.has_value());
  EXPECT_FALSE(compared.value()[1].backtest.has_value());
  EXPECT_EQ(BestOf(compared.value()).method, kDefaultForecaster);
  const auto other = CompareMethods(TwoMethods(), series, {.horizon = 29, .fit = {}});
  EXPECT_EQ(BestOf(other.value()).method, "average");
}

TEST(Compare, TellsHowFarItIs) {
  const TimeSeries series{.start = {}, .values = {1, 2, 3, 2, 1, 2, 3, 2, 1}};
  std::vector<std::size_t> told;
  const auto compared = CompareMethods(TwoMethods(), series, {.horizon = 2, .fit = {}},
                                       [&](std::size_t fits) { told.push_back(fits); });
  EXPECT_TRUE(compared.ok());
  EXPECT_EQ(told, (std::vector<std::size_t>{1, 2, 3, 4}));
}

TEST(Compare, IsRefusedBeforeAnythingIsFittedIfOneWouldTakeTooLong) {
  const TimeSeries series{.start = {}, .values = std::vector<double>(400'000, 1)};
  const std::vector<const ForecasterEntry*> methods = {FindForecaster("average").value(),
                                                       FindForecaster("sarima").value()};
  std::size_t fits = 0;
  const auto compared =
      CompareMethods(methods, series, {.fit = {.seasons = {60}}}, [&](std::size_t) { ++fits; });
  EXPECT_EQ(compared.status().message(),
            "sarima of 400,000 points with a season of 60 takes too long: up to 532 s, and 300 s "
            "is the most; give fewer points, as averages of longer steps, or another method");
  EXPECT_EQ(fits, 0U);
}

TEST(Compare, WhatIsUsedInsteadIsTold) {
  const TimeSeries series{.start = {}, .values = {1, 2, 3}};
  const std::vector<const ForecasterEntry*> chooser = {FindForecaster(kChoosingForecaster).value()};
  const auto compared = CompareMethods(chooser, series, {.horizon = 5, .fit = {}});
  EXPECT_EQ(compared.value()[0].method, kChoosingForecaster);
  EXPECT_EQ(compared.value()[0].used, "last_value");
}

}  // namespace
}  // namespace berth
