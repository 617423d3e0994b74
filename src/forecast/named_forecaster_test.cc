#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

#include "berth/forecast.h"
#include "forecast/series_forecaster.h"

namespace berth {
namespace {

constexpr std::array<double, 2> kTwoLevels = {0.8, 0.95};

TimeSeries SawTeeth(std::size_t points) {
  TimeSeries series;
  for (std::size_t i = 0; i < points; ++i) {
    series.values.push_back(static_cast<double>(10 + i % 12 + 7 * i % 5));
  }
  return series;
}

void ExpectSame(const Forecast& ours, const Forecast& other) {
  EXPECT_EQ(ours.mean, other.mean);
  ASSERT_EQ(ours.bands.size(), other.bands.size());
  for (std::size_t i = 0; i < ours.bands.size(); ++i) {
    EXPECT_EQ(ours.bands[i].level, other.bands[i].level);
    EXPECT_EQ(ours.bands[i].lower, other.bands[i].lower);
    EXPECT_EQ(ours.bands[i].upper, other.bands[i].upper);
  }
}

TEST(NamedForecaster, EveryMethodForeseesWhatTheRoomDoes) {
  const ForecastOptions options{.seasons = {12}, .seed = 7};
  const TimeSeries series = SawTeeth(60);
  ASSERT_EQ(Forecasters().size(), BuiltinForecasters().size());
  for (const ForecasterInfo& info : Forecasters()) {
    const ForecasterEntry& entry = *FindForecaster(info.name).value();
    EXPECT_EQ(info.summary, entry.summary);
    EXPECT_EQ(info.points_min, entry.points_min);
    EXPECT_EQ(info.updates, entry.updates);
    const auto ours = Forecaster::Fit(info.name, series, options);
    const auto rooms = SeriesForecaster::Fit(entry, series, options);
    ASSERT_TRUE(ours.ok() && rooms.ok()) << info.name;
    ExpectSame(ours.value().Predict(6, kTwoLevels).value(),
               rooms.value().Predict(6, kTwoLevels).value());
    EXPECT_EQ(ours.value().method(), rooms.value().method());
    EXPECT_EQ(ours.value().description(), rooms.value().description());
    EXPECT_EQ(ours.value().reason(), rooms.value().reason());
    EXPECT_EQ(ours.value().notes(), rooms.value().notes());
    EXPECT_EQ(ours.value().seasons(), rooms.value().seasons());
  }
}

TEST(NamedForecaster, AnUpdateGoesOnFromTheNewPoints) {
  TimeSeries series = SawTeeth(60);
  Forecaster fitted = Forecaster::Fit("seasonal_naive", series, {.seasons = {12}}).value();
  const std::array<double, 2> came = {30, 40};
  ASSERT_TRUE(fitted.Update(came).ok());
  series.values.insert(series.values.end(), came.begin(), came.end());
  const Forecaster anew = Forecaster::Fit("seasonal_naive", series, {.seasons = {12}}).value();
  const Forecaster moved = std::move(fitted);
  ExpectSame(moved.Predict(12, kTwoLevels).value(), anew.Predict(12, kTwoLevels).value());
  EXPECT_EQ(moved.Predict(12, kTwoLevels).value().mean[10], 30);
}

TEST(NamedForecaster, OfPointsThatAreNoneNothingIsTaken) {
  Forecaster fitted = Forecaster::Fit("last_value", SawTeeth(60)).value();
  const Forecast before = fitted.Predict(3, kTwoLevels).value();
  const Status too_large = fitted.Update(std::array<double, 2>{1, 1e200});
  EXPECT_EQ(too_large.code(), Code::kInvalidArgument);
  EXPECT_EQ(too_large.message(), "1e+200 is no value to update with: none is beyond 1e+100");
  const Status gap = fitted.Update(std::array<double, 2>{1, std::nan("")});
  EXPECT_EQ(gap.code(), Code::kInvalidArgument);
  EXPECT_EQ(gap.message(),
            "nan is no value to update with: for a gap give the mean that was foreseen of it, or "
            "fit anew");
  ExpectSame(fitted.Predict(3, kTwoLevels).value(), before);
}

TEST(NamedForecaster, ABacktestIsTheRooms) {
  const Result<BacktestResult> result =
      Backtest("last_value", {.values = {1, 2, 1, 2, 4, 6}}, {.horizon = 2, .fit = {}});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value().scores.points, 2U);
  EXPECT_EQ(*result.value().scores.mase, 3);  // Off by 2 and 4; the history by 1 a point.
}

TEST(NamedForecaster, WhatIsWrongIsSaid) {
  EXPECT_EQ(Forecaster::Fit("crystal_ball", SawTeeth(60)).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(Forecaster::Fit("average", {}).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(Forecaster::Fit("average", SawTeeth(60), {.seasons = {24, 12}}).status().code(),
            Code::kInvalidArgument);
  EXPECT_EQ(Backtest("crystal_ball", SawTeeth(60)).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(Backtest("average", SawTeeth(3)).status().code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace berth
