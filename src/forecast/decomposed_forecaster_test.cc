#include "forecast/decomposed_forecaster.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "forecast/series_forecaster.h"

namespace berth {
namespace {

constexpr double kBandLevel = 0.95;
constexpr std::size_t kFittedHours = 504;
constexpr std::size_t kStepsAhead = 168;

// Of forty waves of a day with noise about them, the share of the next week that bands hold.
double CoverageOfWaves(std::string_view method) {
  Rng rng(11);
  double inside = 0;
  constexpr std::size_t kSeries = 40;
  for (std::size_t k = 0; k < kSeries; ++k) {
    TimeSeries series{.start = {}, .values = {}};
    const auto value = [&](std::size_t i) {
      return 100 + 10 * std::sin(2 * std::numbers::pi * static_cast<double>(i) / 24) +
             2 * rng.Normal();
    };
    for (std::size_t i = 0; i < kFittedHours; ++i) series.values.push_back(value(i));
    const auto fitted =
        SeriesForecaster::Fit(*FindForecaster(method).value(), series, {.seasons = {24, 168}});
    const Forecast forecast =
        fitted.value().Predict(kStepsAhead, std::span(&kBandLevel, 1)).value();
    for (std::size_t h = 0; h < kStepsAhead; ++h) {
      const double next = value(kFittedHours + h);
      inside += next >= forecast.bands[0].lower[h] && next <= forecast.bands[0].upper[h] ? 1 : 0;
    }
  }
  return inside / (kSeries * kStepsAhead);
}

TEST(DecomposedForecaster, BandsHoldWhatTheyPromiseWithoutTheWeekThatIsGiven) {
  for (const std::string_view method : {"seasonal_decomposition", "seasonal_decomposition_ar"}) {
    const double coverage = CoverageOfWaves(method);
    EXPECT_GT(coverage, 0.93) << method;
    EXPECT_LT(coverage, 0.97) << method;
  }
}

TEST(DecomposedForecaster, SaysHowMuchOfAShapeIsNoChance) {
  TimeSeries series{.start = {}, .values = {}};
  Rng rng(12);
  for (std::size_t i = 0; i < 64; ++i) {
    series.values.push_back(i % 4 == 0 ? 100.0 : 0.0 + rng.Normal());
  }
  const auto fitted = SeriesForecaster::Fit(*FindForecaster(kDefaultForecaster).value(), series,
                                            {.seasons = {4, 16}});
  EXPECT_TRUE(fitted.value().description().starts_with("STL of 4 and "))
      << fitted.value().description();
  EXPECT_NE(fitted.value().description().find("% of 16, rest ETS(A,"), std::string::npos)
      << fitted.value().description();
}

}  // namespace
}  // namespace berth
