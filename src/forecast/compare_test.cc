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
}

}  // namespace
}  // namespace berth
