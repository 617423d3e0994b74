#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "berth/series.h"
#include "forecast/aggregator.h"
#include "forecast/correlator.h"
#include "forecast/filter.h"
#include "forecast/made_series_testing.h"

namespace berth {
namespace {

using std::chrono::hours;

TimeSeries Hourly(std::vector<double> values) { return {.values = std::move(values)}; }

TEST(NamedOperations, AllAreListed) {
  EXPECT_EQ(Filters().size(), BuiltinFilters().size());
  EXPECT_EQ(Aggregators().size(), BuiltinAggregators().size());
  EXPECT_EQ(Correlators().size(), BuiltinCorrelators().size());
  for (const SeriesOperation& filter : Filters()) {
    EXPECT_EQ(filter.summary, FindFilter(filter.name).value()->summary);
  }
}

TEST(NamedOperations, AFilterTakesItsSettings) {
  EXPECT_EQ(ApplyFilter("default_na", Hourly({1, kGap, 3}), {.value = 7}).value().values,
            (std::vector<double>{1, 7, 3}));
}

TEST(NamedOperations, AnAggregatorTakesItsWindowAndItsSettings) {
  const TimeSeries series = Hourly({1, 5, 3, 8});
  EXPECT_EQ(Aggregate("max", series, hours(2)).value().values, (std::vector<double>{5, 8}));
  EXPECT_EQ(Aggregate("quantile", series, hours(2), {.quantile = 0.5}).value().values,
            (std::vector<double>{1, 3}));
}

TEST(NamedOperations, ACorrelatorFindsByHowManyPointsOneIsBehind) {
  std::vector<double> ahead;
  std::vector<double> behind;
  for (int i = 0; i < 60; ++i) {
    ahead.push_back(std::sin(0.3 * i));
    behind.push_back(std::sin(0.3 * (i - 2)));
  }
  const LaggedCorrelations found = Correlate("pearson", Hourly(ahead), Hourly(behind), 4).value();
  EXPECT_EQ(found.lags.size(), 9U);
  EXPECT_EQ(found.best.lag, 2);
  EXPECT_NEAR(found.best.value, 1, 1e-12);
}

TEST(NamedOperations, SeasonsAreFoundAcrossGaps) {
  TimeSeries series;
  for (int i = 0; i < 120; ++i) series.values.push_back(i % 12);
  series.values[50] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(DetectSeasons(series).value(), std::vector<std::size_t>{12});
}

TEST(NamedOperations, WhatIsWrongIsSaid) {
  const TimeSeries series = Hourly({1, 5, 3, 8});
  for (const Status& status :
       {ApplyFilter("sieve", series).status(), Aggregate("sieve", series, hours(2)).status(),
        Aggregate("max", series, hours(0)).status(),
        Aggregate("quantile", series, hours(2), {.quantile = 1.5}).status(),
        Aggregate("quantile", series, hours(2), {.quantile = NAN}).status(),
        Correlate("sieve", series, series, 1).status(), DetectSeasons(TimeSeries{}).status()}) {
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << status.message();
  }
}

}  // namespace
}  // namespace berth
