#include "forecast/garch_forecaster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "forecast/ets_fit.h"
#include "forecast/season_use.h"
#include "forecast/series_forecaster.h"
#include "forecast/smoothing_forecaster.h"

namespace berth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Each error with the variance of its own time, summed one by one.
std::vector<double> ObviousStretches(const std::vector<double>& half_widths,
                                     const GarchModel& garch) {
  const std::vector<double> variances = garch.Variances(half_widths.size());
  std::vector<double> added;
  std::vector<double> stretches;
  double before = 0;
  for (std::size_t h = 0; h < half_widths.size(); ++h) {
    added.push_back(std::max(0.0, half_widths[h] * half_widths[h] - before));
    before += added.back();
    double now = 0;
    for (std::size_t j = 0; j <= h; ++j) now += added[j] * variances[h - j] / garch.Level();
    stretches.push_back(before > 0 ? std::sqrt(now / before) : 1);
  }
  return stretches;
}

TEST(GarchForecaster, StretchesAreTheObviousSums) {
  Rng rng(5);
  for (int round = 0; round < 200; ++round) {
    GarchModel garch{.constant = 0.01 + rng.Unit(), .of_square = rng.Unit() / 2};
    garch.of_variance = rng.Unit() * (0.999 - garch.of_square);
    garch.next = garch.Level() * rng.Exponential(2);
    std::vector<double> half_widths;
    for (int h = 0; h < 30; ++h) {
      half_widths.push_back(round % 3 == 0 && h < 2 ? 0 : 5 * rng.Unit() + h);
    }
    const std::vector<double> stretches = BandStretches(half_widths, garch);
    const std::vector<double> obvious = ObviousStretches(half_widths, garch);
    for (std::size_t h = 0; h < 30; ++h) EXPECT_NEAR(stretches[h], obvious[h], 1e-9 * obvious[h]);
  }
}

TEST(GarchForecaster, StretchesAreNumbersHoweverWideTheBand) {
  const GarchModel burst{.constant = 1e-300, .of_square = 0.5, .of_variance = 0.4, .next = 1e200};
  for (const double most : {0.0, 1e-200, 1.0, 1e200, kInfinity}) {
    for (const double stretch : BandStretches(std::vector<double>{0, most / 2, most}, burst)) {
      EXPECT_TRUE(std::isfinite(stretch)) << most;
      EXPECT_GE(stretch, 1) << most;
    }
  }
}

// Levels that wander in proportion to themselves, now more and now less, with a season of four.
std::vector<double> WildProportions() {
  Rng rng(11);
  std::vector<double> values;
  double logarithm = 5;
  for (int i = 0; i < 240; ++i) {
    logarithm += (i % 60 < 40 ? 0.15 : 0.9) * rng.Normal() - 0.02 * (logarithm - 5);
    values.push_back(std::exp(logarithm) * (i % 4 == 0 ? 1.5 : 1));
  }
  return values;
}

template <EtsTrend kTrend, EtsSeason kSeason>
Result<std::unique_ptr<FittedForecaster>> FitProportional(const FitInput& input) {
  return NewSmoothingForecaster(
      FitEts(input.values, {EtsError::kMultiplicative, kTrend, kSeason}, 4).model);
}

TEST(GarchForecaster, ProportionalErrorsAreNumbersAsFarAsOneMayAsk) {
  const FitFunction forms[] = {&FitProportional<EtsTrend::kNone, EtsSeason::kNone>,
                               &FitProportional<EtsTrend::kNone, EtsSeason::kAdditive>,
                               &FitProportional<EtsTrend::kNone, EtsSeason::kMultiplicative>,
                               &FitProportional<EtsTrend::kAdditive, EtsSeason::kNone>,
                               &FitProportional<EtsTrend::kAdditive, EtsSeason::kAdditive>,
                               &FitProportional<EtsTrend::kAdditive, EtsSeason::kMultiplicative>,
                               &FitProportional<EtsTrend::kDamped, EtsSeason::kNone>,
                               &FitProportional<EtsTrend::kDamped, EtsSeason::kAdditive>,
                               &FitProportional<EtsTrend::kDamped, EtsSeason::kMultiplicative>};
  const std::vector<double> values = WildProportions();
  const double level = 0.95;
  int far = 0, bursts = 0;
  for (const FitFunction fit : forms) {
    const auto fitted =
        FitWithGarch(fit, SeasonsTaken::kNone, {.values = values, .seasons = {}, .rng = Rng(1)});
    const Forecast forecast = fitted.value()->Predict(kHorizonMax, std::span(&level, 1), Rng(1));
    const ForecastBand& band = forecast.bands.front();
    for (std::size_t h = 0; h < kHorizonMax; ++h) {
      ASSERT_TRUE(std::isfinite(forecast.mean[h]) && std::isfinite(band.lower[h]) &&
                  std::isfinite(band.upper[h]))
          << fitted.value()->description() << " " << h;
    }
    far += band.upper.back() > 1e100 ? 1 : 0;
    bursts += fitted.value()->description().find("does not move") == std::string::npos ? 1 : 0;
  }
  EXPECT_GT(far, 3);  // There was something to keep finite.
  EXPECT_GT(bursts, 3);
}

SeriesForecaster FittedTo(std::string_view method, std::vector<double> values,
                          std::vector<std::size_t> seasons) {
  const TimeSeries series{.start = {}, .values = std::move(values)};
  return SeriesForecaster::Fit(*FindForecaster(method).value(), series,
                               {.seasons = std::move(seasons)})
      .value();
}

// Work days are busy and weekends are not; what is beside that is always as much.
std::vector<double> WorkWeeks(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    const bool work = i / 24 % 7 < 5;
    const double hour = static_cast<double>(i % 24) / 24 * 6.2831853;
    values.push_back(100 + (work ? 40 - 30 * std::cos(hour) : 0) + rng.Normal());
  }
  return values;
}

TEST(GarchForecaster, WeekendsAreNoBursts) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    const std::string description =
        FittedTo("seasonal_decomposition+garch", WorkWeeks(504, seed), {24, 168}).description();
    EXPECT_TRUE(description.ends_with("the variance does not move, bands as they were"))
        << description;
  }
}

TEST(GarchForecaster, ASeasonThatItsErrorsLackIsNoted) {
  const std::vector<std::string> without = {
      "GARCH of errors without the season of 168 points: with it, less than 30 errors are left"};
  EXPECT_EQ(FittedTo("seasonal_decomposition+garch", WorkWeeks(365, 1), {24, 168}).notes(),
            without);
  EXPECT_TRUE(
      FittedTo("seasonal_decomposition+garch", WorkWeeks(366, 1), {24, 168}).notes().empty());
}

TEST(GarchForecaster, ASeasonThatTheMethodDoesNotTakeCostsNoErrors) {
  const std::vector<double> values = WorkWeeks(504, 1);
  EXPECT_EQ(FittedTo("arima+garch", values, {24, 168}).description(),
            FittedTo("arima+garch", values, {24}).description());
  EXPECT_EQ(FittedTo("arima+garch", values, {24}).notes(),
            std::vector<std::string>{"no season of 24 points: arima+garch takes none"});
}

TEST(GarchForecaster, SaysWhatAMethodThatChoosesChose) {
  const std::vector<double> values = WorkWeeks(240, 1);
  const SeriesForecaster chosen = FittedTo("chooser+garch", values, {24});
  const SeriesForecaster plain = FittedTo("chooser", values, {24});
  EXPECT_TRUE(chosen.description().starts_with(plain.description())) << chosen.description();
  EXPECT_EQ(chosen.reason(), plain.reason());
  EXPECT_EQ(chosen.seasons(), plain.seasons());
  EXPECT_EQ(chosen.notes(), plain.notes());
}

}  // namespace
}  // namespace berth
