// Each method's case worked out by hand, and how methods are found.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "berth/rng.h"
#include "forecast/made_series_testing.h"
#include "forecast/series_forecaster.h"

namespace berth {
namespace {

const std::vector<double> kLevels = {0.5, 0.8, 0.95};

TimeSeries SeriesOf(std::vector<double> values) {
  return {.start = TimeFromMicros(0), .values = std::move(values)};
}

SeriesForecaster Fitted(std::string_view method, std::vector<double> values,
                        std::vector<std::size_t> seasons = {}) {
  const auto entry = FindForecaster(method);
  EXPECT_TRUE(entry.ok());
  auto fitted = SeriesForecaster::Fit(*entry.value(), SeriesOf(std::move(values)),
                                      {.seasons = std::move(seasons)});
  EXPECT_TRUE(fitted.ok()) << fitted.status().message();
  return std::move(fitted).value();
}

TEST(Methods, AVariantThatCannotBeIsExplained) {
  EXPECT_EQ(FindForecaster("arima+grach").status().message(),
            "there are arima+outliers, arima+garch and arima+outliers+garch, but no 'arima+grach'");
  EXPECT_TRUE(
      FindForecaster("oracle+garch").status().message().starts_with("there is no method 'oracle'"));
}

TEST(Methods, OutliersAndGarchInEitherOrder) {
  EXPECT_EQ(FindForecaster("sarima+garch+outliers").value()->name, "sarima+outliers+garch");
  EXPECT_EQ(FindForecaster("").status().message(),
            "the name of a method is empty; give one, or leave out a comma too many");
}

TEST(Methods, NoneIsNoSeries) {
  for (const ForecasterEntry& method : BuiltinForecasters()) {
    EXPECT_FALSE(SeriesForecaster::Fit(method, SeriesOf({}), {}).ok());
  }
}

TEST(Methods, AnUnknownOneIsToldTheKnown) {
  const auto found = FindForecaster("oracle");
  ASSERT_FALSE(found.ok());
  EXPECT_TRUE(found.status().message().starts_with(
      "there is no method 'oracle'; the methods are last_value, seasonal_naive"));
  EXPECT_TRUE(FindForecaster(kDefaultForecaster).ok());
}

TEST(Methods, WhatWasLeftOutIsNoted) {
  EXPECT_EQ(
      Fitted("holt_winters", {1, 2, 3}, {24}).notes(),
      (std::vector<std::string>{"the last value: holt_winters needs 8 points",
                                "no season of 24: the history is of 3 points, not twice as long"}));
  EXPECT_EQ(Fitted("last_value", {1}).notes().size(), 1U);
  EXPECT_TRUE(Fitted("last_value", {1, 2}).notes().empty());
}

TEST(Methods, AsksAreChecked) {
  const SeriesForecaster fitted = Fitted("last_value", {1, 2});
  EXPECT_FALSE(fitted.Predict(0, kLevels).ok());
  EXPECT_FALSE(fitted.Predict(kHorizonMax + 1, kLevels).ok());
  EXPECT_FALSE(fitted.Predict(1, std::vector<double>{1.0}).ok());
  EXPECT_FALSE(fitted.Predict(1, std::vector<double>{kGap}).ok());
  EXPECT_FALSE(fitted.Predict(1, std::vector<double>(kLevelsMax + 1, 0.5)).ok());
  EXPECT_FALSE(CheckSeasons(std::vector<std::size_t>{1}).ok());
  EXPECT_FALSE(CheckSeasons(std::vector<std::size_t>{24, 24}).ok());
  EXPECT_FALSE(CheckSeasons(std::vector<std::size_t>{kSeasonMax + 1}).ok());
  EXPECT_FALSE(CheckSeasons(std::vector<std::size_t>{2, 3, 4, 5, 6}).ok());
}

constexpr double kTwoSided95 = 1.959963984540054;

TEST(Methods, LastValueByHand) {
  // Changes 2, -1, 2: a variance of 3 a step.
  const Forecast forecast = Fitted("last_value", {10, 12, 11, 13}).Predict(3, kLevels).value();
  EXPECT_EQ(forecast.mean, (std::vector<double>{13, 13, 13}));
  EXPECT_NEAR(forecast.bands[2].upper[2], 13 + kTwoSided95 * 3, 1e-9);
}

TEST(Methods, SeasonalNaiveByHand) {
  // Changes from season to season: 1, 2, 3. A variance of 14 / 3 a season.
  const Forecast forecast =
      Fitted("seasonal_naive", {10, 20, 30, 11, 22, 33}, {3}).Predict(4, kLevels).value();
  EXPECT_EQ(forecast.mean, (std::vector<double>{11, 22, 33, 11}));
  EXPECT_NEAR(forecast.bands[2].upper[0], 11 + kTwoSided95 * std::sqrt(14.0 / 3), 1e-9);
  EXPECT_NEAR(forecast.bands[2].upper[3], 11 + kTwoSided95 * std::sqrt(28.0 / 3), 1e-9);
}

TEST(Methods, AverageByHand) {
  // Squares about 4: 4 + 0 + 4 = 8, of two free; and a third more for the average's own error.
  const Forecast forecast = Fitted("average", {2, 4, 6}).Predict(1, kLevels).value();
  EXPECT_DOUBLE_EQ(forecast.mean[0], 4);
  EXPECT_NEAR(forecast.bands[2].upper[0], 4 + kTwoSided95 * std::sqrt(4 * 4.0 / 3), 1e-9);
}

TEST(Methods, LagRegressionFindsTheRecursion) {
  // x(t) = 1.5 x(t-1) - 0.7 x(t-2), an oscillation that dies out, about 100.
  std::vector<double> values = {110, 108};
  while (values.size() < 60) {
    const std::size_t n = values.size();
    values.push_back(100 + 1.5 * (values[n - 1] - 100) - 0.7 * (values[n - 2] - 100));
  }
  std::vector<double> history(values.begin(), values.begin() + 20);
  const Forecast forecast = Fitted("lag_regression", history).Predict(10, kLevels).value();
  for (std::size_t h = 0; h < 10; ++h) EXPECT_NEAR(forecast.mean[h], values[20 + h], 1e-6) << h;
}

// Least squares take a level that has just shifted for growth: with them, this one's mean passed
// 1e7 within a week.
TEST(Methods, LagRegressionDoesNotRunAwayFromAShift) {
  for (const std::size_t shifted : {8U, 12U, 20U}) {
    const std::vector<double> history = Made(504, [&](std::size_t i, Rng& rng) {
      const double noise = 6 + 0.3 * rng.Normal();
      const std::size_t left = 504 - i;
      if (left > shifted) return noise;
      return 14 + 24 * static_cast<double>(shifted - left) / static_cast<double>(shifted);
    });
    const Forecast forecast =
        Fitted("lag_regression", history, {24, 168}).Predict(168, kLevels).value();
    EXPECT_LT(std::ranges::max(forecast.bands[2].upper), 60) << shifted;
    EXPECT_GT(forecast.mean.back(), 4) << shifted;
    EXPECT_LT(forecast.mean.back(), 20) << shifted;
  }
}

// A recurrence found in growth is growth: e^3 times as much after 60 points.
TEST(Methods, SpectrumThatWouldRunAwayIsTheAverageAndSaysSo) {
  const std::vector<double> growth =
      Made(120, [](std::size_t i, Rng&) { return std::exp(0.05 * static_cast<double>(i)); });
  const SeriesForecaster fitted = Fitted("singular_spectrum", growth);
  EXPECT_EQ(fitted.description(), "the average: what any number of components foresees runs away");
  EXPECT_LT(fitted.Predict(60, kLevels).value().mean.back(), growth.back());
  EXPECT_EQ(Fitted("singular_spectrum", std::vector<double>(60, 0)).description(),
            "the average: no number of components foresees better");
}

// With all components allowed, the slower wave, which grows, would go on doing so.
TEST(Methods, SpectrumKeepsTheComponentsThatDoNotRunAway) {
  const std::vector<double> wave = Made(504, [](std::size_t i, Rng& rng) {
    const double grown = std::exp(0.004 * static_cast<double>(i));
    return 100 + Day(i) + grown * std::sin(static_cast<double>(i) / 9) + 0.1 * rng.Normal();
  });
  const SeriesForecaster fitted = Fitted("singular_spectrum", wave, {24, 168});
  const Forecast forecast = fitted.Predict(2'000, {}).value();
  EXPECT_FALSE(fitted.description().starts_with("the average")) << fitted.description();
  EXPECT_LT(std::ranges::max(forecast.mean), 125) << fitted.description();
  EXPECT_GT(std::ranges::max(forecast.mean), 105) << fitted.description();
}

TEST(Methods, DecompositionContinuesTwoSeasons) {
  const auto value = [](std::size_t i) {
    return 100 + Day(i) + ((i / 24) % 7 < 5 ? 4.0 : -10.0) + 0.05 * static_cast<double>(i);
  };
  const std::vector<double> history =
      Made(504, [&](std::size_t i, Rng& rng) { return value(i) + 0.2 * rng.Normal(); });
  for (const std::string_view method : {"seasonal_decomposition", "seasonal_decomposition_ar"}) {
    const Forecast forecast = Fitted(method, history, {24, 168}).Predict(168, kLevels).value();
    double error = 0;
    for (std::size_t h = 0; h < 168; ++h)
      error += std::abs(forecast.mean[h] - value(504 + h)) / 168;
    EXPECT_LT(error, 1.5) << method;
  }
}

// Differences of seasons and of points: what they are on average would bend the line that goes on.
// The slope is 24 a season.
TEST(Methods, TwoDifferencesHaveNoDrift) {
  const std::vector<double> broken = Made(160, [](std::size_t i, Rng& rng) {
    const double rise = i < 80 ? 0 : 3 * static_cast<double>(i - 80);
    return 100 + rise + 10 * static_cast<double>(i % 8) + rng.Normal();
  });
  for (const char* method : {"sarima", "sarfima"}) {
    const std::vector<double> mean = Fitted(method, broken, {8}).Predict(240, {}).value().mean;
    for (std::size_t h = 0; h + 8 < mean.size(); ++h) {
      EXPECT_NEAR(mean[h + 8] - mean[h], 24, 8) << method << ", " << h;
    }
  }
}

}  // namespace
}  // namespace berth
