#include "forecast/fit_cost.h"

#include <gtest/gtest.h>

#include "forecast/candidates.h"
#include "forecast/season_use.h"
#include "forecast/series_forecaster.h"

namespace berth {
namespace {

double CostOf(std::string_view method, std::size_t points,
              const std::vector<std::size_t>& seasons) {
  return FitCost(*FindForecaster(method).value(), points, seasons);
}

TEST(FitCost, ByHand) {
  const ForecasterEntry& sarima = *FindForecaster("sarima").value();
  EXPECT_DOUBLE_EQ(CostOf("sarima", 1'000, {}), 1'000 * sarima.point_cost);
  EXPECT_DOUBLE_EQ(CostOf("sarima", 1'000, {24, 168}),
                   1'000 * (sarima.point_cost + 24 * 24 * sarima.season_cost));
  // It takes none of 168.
  EXPECT_DOUBLE_EQ(CostOf("sarima", 1'000, {168}), CostOf("sarima", 1'000, {}));
  EXPECT_DOUBLE_EQ(CostOf("sarima+garch", 1'000, {60}), 3 * CostOf("sarima", 1'000, {60}));
}

TEST(FitCost, OfWhatIsNotLookedAtThereIsNone) {
  EXPECT_EQ(CostOf("lstm", 50'000, {24}), CostOf("lstm", kLatestLookedAt, {24}));
  EXPECT_GT(CostOf("arma", 50'000, {24}), CostOf("arma", kLatestLookedAt, {24}));
}

TEST(FitCost, WhatChoosesStaysWithinItsBudget) {
  for (const char* method : {"ensemble", "chooser"}) {
    EXPECT_EQ(CostOf(method, 100'000, {24}), kCandidatesCostMax);
  }
}

TEST(FitCost, WhatTakesTooLongIsRefusedUnfitted) {
  const ForecasterEntry& method = *FindForecaster("sarima").value();
  const TimeSeries series{.start = {}, .values = std::vector<double>(10'080, 1)};
  ForecastOptions options{.seasons = {60}};
  EXPECT_TRUE(CheckFit(method, series, options).ok());
  options.cost_max = kLiveFitCostMax;
  EXPECT_EQ(SeriesForecaster::Fit(method, series, options).status().message(),
            "sarima of 10,080 points with a season of 60 takes too long: up to 14 s, and 5 s is "
            "the most; give fewer points, as averages of longer steps, or another method");
  EXPECT_TRUE(CheckFit(*FindForecaster(kDefaultForecaster).value(), series, options).ok());
}

// Two of a season are not there, so that it is not used.
TEST(FitCost, ASeasonThatDoesNotFitCostsNothing) {
  const TimeSeries series{.start = {}, .values = std::vector<double>(100, 1)};
  const ForecasterEntry& method = *FindForecaster("sarima").value();
  const double cost = CostOf("sarima", 100, {});
  EXPECT_TRUE(CheckFit(method, series, {.seasons = {60}, .cost_max = cost}).ok());
  EXPECT_FALSE(CheckFit(method, series, {.seasons = {24}, .cost_max = cost}).ok());
}

TEST(FitCost, TheCommandLineRefusesWhatTheMostPointsWouldTake) {
  const TimeSeries series{.start = {}, .values = std::vector<double>(kSeriesPointsMax, 1)};
  EXPECT_FALSE(CheckFit(*FindForecaster("sarima").value(), series, {.seasons = {24}}).ok());
  EXPECT_TRUE(
      CheckFit(*FindForecaster(kDefaultForecaster).value(), series, {.seasons = {24}}).ok());
  for (const ForecasterEntry& method : BuiltinForecasters()) {
    const Status status = CheckFit(method, series, {.seasons = {24}});
    EXPECT_EQ(status.ok(), CostOf(method.name, kSeriesPointsMax, {24}) <= kFitCostMax)
        << method.name;
  }
}

}  // namespace
}  // namespace berth
