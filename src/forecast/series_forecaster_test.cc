#include "forecast/series_forecaster.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "forecast/made_series_testing.h"

namespace berth {
namespace {

constexpr double kLevel = 0.95;

SeriesForecaster FittedToProcess(std::string_view method, std::vector<double> values,
                                 std::vector<std::size_t> seasons = {}) {
  return SeriesForecaster::Fit(*FindForecaster(method).value(),
                               {.start = {}, .values = std::move(values)},
                               {.seasons = std::move(seasons)})
      .value();
}

struct Process {
  std::string_view method;
  std::vector<std::size_t> seasons;
  std::function<double(std::size_t, double, Rng&)> next;  // After so many points and this one.
};

// Of sixty series, the share of the next day that bands hold.
double CoverageOf(const Process& process, double gaps) {
  constexpr std::size_t kSeries = 60;
  constexpr std::size_t kHistory = 240;
  constexpr std::size_t kAhead = 24;
  double inside = 0;
  for (std::size_t k = 0; k < kSeries; ++k) {
    Rng rng(k);
    Rng missing(1'000 + k);
    double value = 100;
    std::vector<double> seen;
    for (std::size_t i = 0; i < kHistory; ++i) {
      value = process.next(i, value, rng);
      const bool inner = i > 0 && i + 1 < kHistory;
      seen.push_back(inner && missing.Unit() < gaps ? kGap : value);
    }
    const Forecast forecast = FittedToProcess(process.method, seen, process.seasons)
                                  .Predict(kAhead, std::span(&kLevel, 1))
                                  .value();
    for (std::size_t h = 0; h < kAhead; ++h) {
      value = process.next(kHistory + h, value, rng);
      const ForecastBand& band = forecast.bands[0];
      inside += value >= band.lower[h] && value <= band.upper[h] ? 1 : 0;
    }
  }
  return inside / (kSeries * kAhead);
}

TEST(SeriesForecaster, BandsHoldAsMuchOfASeriesWithGaps) {
  const auto wave = [](std::size_t i) {
    return 100 + 10 * std::sin(2 * std::numbers::pi * static_cast<double>(i) / 24);
  };
  const std::vector<Process> processes = {
      {"last_value", {}, [](std::size_t, double last, Rng& rng) { return last + rng.Normal(); }},
      {"average", {}, [](std::size_t, double, Rng& rng) { return 100 + 5 * rng.Normal(); }},
      {"autoregression",
       {},
       [](std::size_t, double last, Rng& rng) { return 30 + 0.7 * last + rng.Normal(); }},
      {"seasonal_decomposition", {24}, [&](std::size_t i, double, Rng& rng) {
         return wave(i) + 2 * rng.Normal();
       }}};
  for (const Process& process : processes) {
    const double whole = CoverageOf(process, 0);
    EXPECT_GT(whole, 0.9) << process.method;
    EXPECT_GT(CoverageOf(process, 0.3), whole - 0.02) << process.method;
  }
}

TEST(SeriesForecaster, GapsAreNoted) {
  EXPECT_EQ(FittedToProcess("average", {1, 2, kGap, 4, 5, 6}).notes(),
            std::vector<std::string>{
                "1 of 6 points were gaps, filled on a line; bands are 9.5% wider for them"});
  EXPECT_EQ(FittedToProcess("average", {1, kGap, kGap, kGap, 2, 3}).notes(),
            (std::vector<std::string>{
                "3 of 6 points were gaps, filled on a line; bands are 41.4% wider for them"}));
  EXPECT_EQ(FittedToProcess("average", {1, kGap, kGap, kGap, 2}).notes().back(),
            "more was filled than seen: averages of longer steps would have fewer gaps");
  EXPECT_TRUE(FittedToProcess("average", {1, 2, 4}).notes().empty());
}

// A walk whose steps of two are each cut in half by a gap: the steps' squares are half as much.
TEST(SeriesForecaster, AWalkWithGapsIsForeseenByWhatWasSeen) {
  const auto width = [](std::vector<double> values) {
    const Forecast forecast =
        FittedToProcess("last_value", std::move(values)).Predict(1, std::span(&kLevel, 1)).value();
    return forecast.bands[0].upper[0] - forecast.bands[0].lower[0];
  };
  EXPECT_NEAR(width({0, kGap, 2, kGap, 0, kGap, 2, kGap, 0}),
              width({0, 1, 2, 1, 0, 1, 2, 1, 0}) * std::sqrt(9.0 / 5), 1e-9);
}

}  // namespace
}  // namespace berth
