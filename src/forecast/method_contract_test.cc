// What every method, and every variant of each, must hold to.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "berth/rng.h"
#include "forecast/made_series_testing.h"
#include "forecast/series_forecaster.h"

namespace berth {
namespace {

const std::vector<double> kThreeLevels = {0.5, 0.8, 0.95};
const std::vector<std::size_t> kSeasons = {8, 24};

struct HardSeries {
  std::string_view name;
  std::vector<double> values;
};

std::vector<HardSeries> HardOnes() {
  return {
      {"one point", {5}},
      {"two points", {5, 7}},
      {"three points", {1, 100, 2}},
      {"short", Made(11, [](std::size_t i, Rng&) { return static_cast<double>(i * i); })},
      {"zeros", std::vector<double>(96, 0)},
      {"constant", std::vector<double>(96, 12.5)},
      {"a trend", Made(96, [](std::size_t i, Rng&) { return 3.0 * static_cast<double>(i); })},
      {"growth",
       Made(96, [](std::size_t i, Rng&) { return std::exp(0.05 * static_cast<double>(i)); })},
      {"falling below zero",
       Made(96,
            [](std::size_t i, Rng& rng) { return 50 - static_cast<double>(i) + rng.Normal(); })},
      {"a day", Made(96, [](std::size_t i, Rng& rng) { return 50 + Day(i) + rng.Normal(); })},
      {"a level shift",
       Made(96, [](std::size_t i, Rng& rng) { return (i < 64 ? 10 : 1'000) + rng.Normal(); })},
      {"outliers",
       Made(96, [](std::size_t i, Rng& rng) { return i % 61 == 7 ? 1e6 : rng.Unit(); })},
      {"mostly zeros",
       Made(96, [](std::size_t i, Rng& rng) { return i % 9 == 0 ? rng.Unit() : 0; })},
      {"almost zero", Made(96, [](std::size_t, Rng& rng) { return 1e-90 * rng.Unit(); })},
      {"huge", Made(96, [](std::size_t, Rng& rng) { return 1e99 * rng.Normal(); })},
      {"gaps", Made(96,
                    [](std::size_t i, Rng& rng) {
                      return i % 5 == 3 || (i > 48 && i < 80) ? kGap : 50 + Day(i) + rng.Normal();
                    })},
  };
}

// How methods differ in what may be asked of them; a variant is as its method.
struct Peculiar {
  double of_line = 1e9;        // How far from a line that goes on; some do not follow any.
  double of_anew = 0.5;        // How far, after updates, from one fitted anew.
  double of_refreshed = 1e-9;  // How far from before, once the latest points came again.
  double width = 1.2;          // Of the 95% band of noise, in widths of the ideal one.
  double of_fewest = 0.85;     // Of noise after the fewest points it takes, what 95% bands hold.
  double far = 2;              // How far outside a noisy wave at the longest horizon, in its
                               // ranges; a line that goes on leaves it.
};

const std::map<std::string_view, Peculiar> kPeculiar = {
    {"last_value", {.of_anew = 1e-9, .width = 4.6, .of_fewest = 0}},
    {"seasonal_naive", {.of_anew = 1e-9, .width = 4.6}},
    {"average", {.of_anew = 1e-9, .of_refreshed = 0.35, .of_fewest = 0.65}},
    {"lag_regression", {.of_line = 0.01}},
    {"exponential_smoothing", {.of_line = 0.01, .of_refreshed = 0.01}},
    {"holt_winters",
     {.of_line = 0.01, .of_anew = 1.25, .of_refreshed = 0.35, .of_fewest = 0.75, .far = 20}},
    {"seasonal_decomposition", {.of_line = 15, .of_refreshed = 0.01}},
    {"seasonal_decomposition_ar", {.of_line = 15}},
    {"autoregression", {}},
    {"moving_average", {.of_anew = 2.5, .of_refreshed = 0.35}},
    {"arma", {}},
    {"arima", {.of_line = 0.01}},
    {"sarima", {.of_line = 0.01, .of_refreshed = 0.35, .far = 10}},
    {"singular_spectrum", {.of_line = 0.01}},
    {"sarfima", {.of_line = 0.01, .of_refreshed = 0.35, .far = 20}},
    {"support_vector", {.width = 1.45}},
    {"lstm", {.of_anew = 1.25, .width = 1.45}},
    {"ensemble", {.of_line = 0.01, .of_refreshed = 0.05, .width = 1.3}},
    {"chooser", {.of_line = 0.01, .of_refreshed = 0.05, .width = 1.3}},
};

std::vector<std::string_view> HeldToTheContract() {
  std::vector<std::string_view> names;
  for (const ForecasterEntry& method : BuiltinForecasters()) names.push_back(method.name);
  for (const ForecasterEntry& variant : ForecasterVariants()) names.push_back(variant.name);
  return names;
}

class MethodContract : public ::testing::TestWithParam<std::string_view> {
 protected:
  const ForecasterEntry& method() const { return *FindForecaster(GetParam()).value(); }
  const Peculiar& peculiar() const {
    return kPeculiar.at(GetParam().substr(0, GetParam().find('+')));
  }
  bool variant() const { return GetParam().find('+') != std::string_view::npos; }

  SeriesForecaster Fit(std::vector<double> values,
                       std::vector<std::size_t> seasons = kSeasons) const {
    const TimeSeries series{.start = TimeFromMicros(0), .values = std::move(values)};
    return SeriesForecaster::Fit(method(), series, {.seasons = std::move(seasons)}).value();
  }

  // Not kept within reason.
  Forecast Raw(const std::vector<double>& values, std::size_t horizon) const {
    const auto fitted = method().fit({.values = values, .seasons = kSeasons, .rng = Rng(1)});
    return fitted.value()->Predict(horizon, kThreeLevels, Rng(1));
  }
};

void ExpectWithinReason(const Forecast& forecast, const HardSeries& hard) {
  double least = 1e300, most = -1e300;
  for (const double value : hard.values) {
    if (std::isnan(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  const double reach = 10 * (most - least);
  const auto within = [&](double value) {
    return value >= least - reach && value <= most + reach && (least < 0 || value >= 0);
  };
  EXPECT_TRUE(std::ranges::all_of(forecast.mean, within)) << hard.name;
  for (const ForecastBand& band : forecast.bands) {
    EXPECT_TRUE(std::ranges::all_of(band.lower, within)) << hard.name;
    EXPECT_TRUE(std::ranges::all_of(band.upper, within)) << hard.name;
  }
}

void ExpectOrderedAndNested(const Forecast& forecast, std::string_view name) {
  ASSERT_EQ(forecast.bands.size(), kThreeLevels.size());
  for (std::size_t h = 0; h < forecast.mean.size(); ++h) {
    double lower = forecast.mean[h], upper = forecast.mean[h];
    for (const ForecastBand& band : forecast.bands) {
      EXPECT_LE(band.lower[h], lower) << name;
      EXPECT_GE(band.upper[h], upper) << name;
      lower = band.lower[h];
      upper = band.upper[h];
    }
  }
}

void ExpectTheSame(const Forecast& one, const Forecast& other) {
  EXPECT_EQ(one.mean, other.mean);
  for (std::size_t i = 0; i < kThreeLevels.size(); ++i) {
    EXPECT_EQ(one.bands[i].lower, other.bands[i].lower);
    EXPECT_EQ(one.bands[i].upper, other.bands[i].upper);
  }
}

TEST_P(MethodContract, AnswersAreNumbersWithinReasonAndBandsNested) {
  for (const HardSeries& hard : HardOnes()) {
    const Forecast forecast = Fit(hard.values).Predict(60, kThreeLevels).value();
    ASSERT_EQ(forecast.mean.size(), 60U);
    ExpectWithinReason(forecast, hard);
    ExpectOrderedAndNested(forecast, hard.name);
  }
}

// Nothing is cut off here: what a method foresees by itself stays near what it saw.
TEST_P(MethodContract, NothingExplodes) {
  const HardSeries shapes[] = {
      {"a trend", Made(96, [](std::size_t i,
                              Rng& rng) { return 3.0 * static_cast<double>(i) + rng.Normal(); })},
      {"a day", Made(96, [](std::size_t i, Rng& rng) { return 50 + Day(i) + rng.Normal(); })},
      {"a shift",
       Made(96, [](std::size_t i, Rng& rng) { return (i < 64 ? 10 : 1'000) + rng.Normal(); })},
      {"noise", Made(96, [](std::size_t, Rng& rng) { return 5 * rng.Normal(); })}};
  for (const HardSeries& shape : shapes) {
    const auto [least, most] = std::ranges::minmax(shape.values);
    const double range = most - least;
    const Forecast forecast = Raw(shape.values, 120);
    EXPECT_LT(std::ranges::max(forecast.mean), most + 2 * range) << shape.name;
    EXPECT_GT(std::ranges::min(forecast.mean), least - 2 * range) << shape.name;
    EXPECT_LT(std::ranges::max(forecast.bands[2].upper), most + 7 * range) << shape.name;
    EXPECT_GT(std::ranges::min(forecast.bands[2].lower), least - 7 * range) << shape.name;
  }
}

// Growth that is little within a week is a factor of thousands here. Of few points some noise looks
// like it.
TEST_P(MethodContract, AWaveStaysOneAtTheLongestHorizon) {
  Rng rng(29);
  for (int round = 0; round < (variant() ? 1 : 8); ++round) {
    std::vector<double> values;
    for (std::size_t i = 0; i < 96; ++i) values.push_back(100 + Day(i) + rng.Normal());
    const auto [least, most] = std::ranges::minmax(values);
    const double away = peculiar().far * (most - least);
    const auto fitted = method().fit({.values = values, .seasons = kSeasons, .rng = Rng(1)});
    const std::vector<double> mean = fitted.value()->Predict(kHorizonMax, {}, Rng(1)).mean;
    EXPECT_LT(std::ranges::max(mean), most + away) << round;
    EXPECT_GT(std::ranges::min(mean), least - away) << round;
  }
}

TEST_P(MethodContract, ConstantsAndLinesGoOn) {
  for (const double constant : {0.0, 12.5}) {
    const Forecast forecast = Raw(std::vector<double>(120, constant), 60);
    for (std::size_t h = 0; h < 60; ++h) {
      EXPECT_NEAR(forecast.mean[h], constant, 1e-9);
      EXPECT_NEAR(forecast.bands[2].lower[h], constant, 1e-9);
      EXPECT_NEAR(forecast.bands[2].upper[h], constant, 1e-9);
    }
  }
  const auto line = [](std::size_t i) { return 3.0 * static_cast<double>(i); };
  const Forecast forecast = Raw(Made(120, [&](std::size_t i, Rng&) { return line(i); }), 60);
  for (std::size_t h = 0; h < 60; ++h) {
    EXPECT_NEAR(forecast.mean[h], line(120 + h), peculiar().of_line) << h;
  }
}

// Two fitted to the same are the same. One follows what came next; after a day and a half, what was
// foreseen before is half a day off. The other sees the latest days again, with other noise and
// then as they were: what was estimated stays, so it foresees what it did.
TEST_P(MethodContract, AnUpdateIsWhatTheTableSays) {
  const std::vector<double> all =
      Made(186, [](std::size_t i, Rng& rng) { return 50 + Day(i) + 0.2 * rng.Normal(); });
  const std::span<const double> first = std::span(all).first(150);
  SeriesForecaster follows = Fit({first.begin(), first.end()});
  SeriesForecaster sees_again = Fit({first.begin(), first.end()});
  const Forecast before = follows.Predict(48, kThreeLevels).value();
  ExpectTheSame(sees_again.Predict(48, kThreeLevels).value(), before);

  ASSERT_TRUE(follows.Update(std::span(all).subspan(150)).ok());
  const Forecast after = follows.Predict(48, kThreeLevels).value();
  const Forecast anew = Fit(all).Predict(48, kThreeLevels).value();
  const double near = peculiar().of_anew;
  EXPECT_GT(std::abs(before.mean[0] - anew.mean[0]), 3 * near);
  const bool like_fitting = method().updates == ForecasterUpdates::kLikeFitting;
  const double bands_near = like_fitting ? near : 2.5 * std::max(near, 0.5);

  Rng rng(5);
  std::vector<double> again(first.end() - 48, first.end());
  for (double& value : again) value += 0.2 * rng.Normal();
  again.insert(again.end(), first.end() - 144, first.end());
  ASSERT_TRUE(sees_again.Update(again).ok());
  const Forecast refreshed = sees_again.Predict(48, {}).value();
  for (std::size_t h = 0; h < 48; ++h) {
    EXPECT_NEAR(after.mean[h], anew.mean[h], near);
    EXPECT_NEAR(after.bands[2].upper[h], anew.bands[2].upper[h], bands_near);
    EXPECT_NEAR(refreshed.mean[h], before.mean[h], peculiar().of_refreshed);
  }
  EXPECT_FALSE(follows.Update(std::vector<double>{kGap}).ok());
}

TEST_P(MethodContract, BandsHoldWhatTheyPromiseOfNoiseAndNotMuchMore) {
  Rng rng(23);
  std::size_t inside = 0;
  double width = 0;
  // Variants differ little.
  const std::size_t count = variant() ? 6 : 30;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> values;
    for (int j = 0; j < 120; ++j) values.push_back(100 + 5 * rng.Normal());
    const Forecast forecast = Fit(values, {}).Predict(20, kThreeLevels).value();
    const ForecastBand& band = forecast.bands[2];
    for (std::size_t h = 0; h < 20; ++h) {
      const double value = 100 + 5 * rng.Normal();
      inside += value >= band.lower[h] && value <= band.upper[h];
      width += (band.upper[h] - band.lower[h]) / static_cast<double>(count * 20);
    }
  }
  EXPECT_GE(inside, count * 20 * 90 / 100);
  EXPECT_LE(width, peculiar().width * 2 * 1.96 * 5);
}

// By a fiftieth of a band. What is estimated by a search is found from elsewhere, and what may be
// in proportion to the level is so to another one.
void ExpectShifted(const Forecast& forecast, const Forecast& shifted, double by) {
  const ForecastBand& band = forecast.bands[2];
  const ForecastBand& other = shifted.bands[2];
  for (std::size_t h = 0; h < forecast.mean.size(); ++h) {
    const double width = band.upper[h] - band.lower[h];
    EXPECT_NEAR(shifted.mean[h] - by, forecast.mean[h], 0.02 * width) << h;
    EXPECT_NEAR(other.upper[h] - other.lower[h], width, 0.02 * width) << h;
  }
}

// A double holds 16 digits: of the highest, five are the series.
TEST_P(MethodContract, AHigherLevelIsNothingElse) {
  const auto at_level = [](double level) {
    return Made(120, [&](std::size_t i, Rng& rng) { return level + Day(i) + 2 * rng.Normal(); });
  };
  constexpr double kLevel = 1'000;
  const Forecast forecast = Fit(at_level(kLevel)).Predict(48, kThreeLevels).value();
  // Variants differ little.
  const std::vector<double> farther = {1e6, 1e9, 1e11};
  for (const double by : std::span(farther).last(variant() ? 1 : 3)) {
    SCOPED_TRACE(by);
    ExpectShifted(forecast, Fit(at_level(kLevel + by)).Predict(48, kThreeLevels).value(), by);
  }
}

// Of factors of a level, which both move: three seasons of nothing, or of next to nothing.
TEST_P(MethodContract, AnOutageIsOverSixSeasonsLater) {
  constexpr std::size_t kKnown = 240, kOutage = 12, kAfter = 24, kAhead = 8;
  // Variants differ little.
  const std::vector<double> outages = {0, 0.01};
  for (const double nothing : std::span(outages).first(variant() ? 1 : 2)) {
    double level = 100;
    double season[] = {1.3, 0.9, 0.8, 1.0};
    std::vector<double> all =
        Made(kKnown + kOutage + kAfter + kAhead, [&](std::size_t i, Rng& rng) {
          const double error = 0.03 * rng.Normal();
          const double value = level * season[i % 4] * (1 + error);
          level *= 1 + 0.3 * error;
          season[i % 4] *= 1 + 0.25 * error;
          return value;
        });
    std::fill_n(all.begin() + kKnown, kOutage, nothing);
    const std::span<const double> known = std::span(all).first(kKnown);
    SeriesForecaster fitted = Fit({known.begin(), known.end()}, {4});
    ASSERT_TRUE(fitted.Update(std::span(all).subspan(kKnown, kOutage + kAfter)).ok());
    const Forecast forecast = fitted.Predict(kAhead, {}).value();
    const auto [least, most] = std::ranges::minmax(known);
    for (std::size_t h = 0; h < kAhead; ++h) {
      EXPECT_NEAR(forecast.mean[h], all[kKnown + kOutage + kAfter + h], 2 * (most - least))
          << fitted.description() << ", " << h + 1 << " after " << nothing;
    }
  }
}

// The share of noise that comes after so many points that 95% bands hold.
double HeldOfNoiseAfter(const ForecasterEntry& method, std::size_t points) {
  constexpr std::size_t kSeeds = 50;
  constexpr std::size_t kAhead = 10;
  const double level = 0.95;
  std::size_t inside = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Rng rng(seed);
    const auto noise = [&](std::size_t, Rng&) { return 100 + 5 * rng.Normal(); };
    const TimeSeries series{.start = TimeFromMicros(0), .values = Made(points, noise)};
    const auto fitted = SeriesForecaster::Fit(method, series, {.seed = seed + 1});
    const Forecast forecast = fitted.value().Predict(kAhead, std::span(&level, 1)).value();
    for (std::size_t h = 0; h < kAhead; ++h) {
      const double value = noise(h, rng);
      inside += value >= forecast.bands[0].lower[h] && value <= forecast.bands[0].upper[h];
    }
  }
  return static_cast<double>(inside) / (kSeeds * kAhead);
}

// Of so few points a variance is hardly known; what is known of the farthest of a few errors is
// less.
TEST(Methods, BandsOfShortHistoriesHoldNearlyWhatTheyPromise) {
  for (const ForecasterEntry& method : BuiltinForecasters()) {
    EXPECT_GE(HeldOfNoiseAfter(method, 24), 0.85) << method.name;
    EXPECT_GE(HeldOfNoiseAfter(method, method.points_min), kPeculiar.at(method.name).of_fewest)
        << method.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, MethodContract, ::testing::ValuesIn(HeldToTheContract()),
                         [](const auto& tested) {
                           std::string name(tested.param);
                           std::ranges::replace(name, '+', '_');
                           return name;
                         });

}  // namespace
}  // namespace berth
