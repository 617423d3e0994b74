// What every filter must hold to, each one's case worked out by hand, and figures of statsmodels
// and scipy, which `python3 testdata/forecast/reference_filters.py` prints.
#include "forecast/filter.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "berth/rng.h"
#include "forecast/made_series_testing.h"
#include "forecast/outliers.h"
#include "forecast/smoothed.h"

namespace berth {
namespace {

std::vector<double> Filtered(std::string_view name, std::vector<double> values,
                             const FilterSettings& settings = {}) {
  const TimeSeries series{.start = {}, .values = std::move(values)};
  const auto filtered = ApplyFilter(*FindFilter(name).value(), series, settings);
  EXPECT_TRUE(filtered.ok()) << filtered.status().message();
  return filtered.ok() ? filtered.value().values : std::vector<double>();
}

// The series of reference_filters.py: no draw, so that any language makes it.
std::vector<double> FilterSeries() {
  std::vector<double> values;
  for (int i = 0; i < 60; ++i) {
    values.push_back(10 + 0.3 * i + 4 * std::sin(0.7 * i) + 2 * std::cos(2.1 * i * i));
  }
  return values;
}

class FilterContract : public ::testing::TestWithParam<std::size_t> {
 protected:
  const FilterEntry& filter() const { return BuiltinFilters()[GetParam()]; }
};

TEST_P(FilterContract, AsManyNumbersComeOutAsPointsGoIn) {
  Rng rng(5);
  std::vector<std::vector<double>> hard = {std::vector<double>(60, 0), std::vector<double>(60, 7),
                                           FilterSeries()};
  hard.emplace_back();
  for (int i = 0; i < 60; ++i) hard.back().push_back(i % 7 == 2 ? kGap : 1e99 * rng.Normal());
  hard.emplace_back();
  for (int i = 0; i < 60; ++i) hard.back().push_back(i == 30 ? 1e6 : 1e-90 * rng.Unit());
  for (const std::vector<double>& values : hard) {
    const std::vector<double> out = Filtered(filter().name, values);
    ASSERT_EQ(out.size(), values.size());
    for (const double value : out) EXPECT_TRUE(std::isfinite(value)) << filter().name;
  }
}

TEST_P(FilterContract, AConstantStaysOne) {
  for (const double value : Filtered(filter().name, std::vector<double>(60, 12.5))) {
    EXPECT_NEAR(value, 12.5, 1e-6);
  }
}

TEST_P(FilterContract, TooFewAndTooManyPointsAreRefused) {
  const TimeSeries none{.start = {}, .values = {}};
  EXPECT_FALSE(ApplyFilter(filter(), none, {}).ok());
  const std::size_t fewest = filter().points_min;
  if (fewest > 1) {
    const TimeSeries few{.start = {}, .values = std::vector<double>(fewest - 1, 1)};
    const Status status = ApplyFilter(filter(), few, {}).status();
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    EXPECT_NE(status.message().find(filter().name), std::string::npos);
  }
  if (filter().points_max < kSeriesPointsMax) {
    const TimeSeries many{.start = {}, .values = std::vector<double>(filter().points_max + 1, 1)};
    EXPECT_FALSE(ApplyFilter(filter(), many, {}).ok());
  }
}

TEST_P(FilterContract, SettingsAreChecked) {
  const TimeSeries series{.start = {}, .values = FilterSeries()};
  EXPECT_FALSE(ApplyFilter(filter(), series, {.value = kGap}).ok());
  EXPECT_FALSE(ApplyFilter(filter(), series, {.season = 1}).ok());
  EXPECT_FALSE(ApplyFilter(filter(), series, {.period = 2}).ok());
  EXPECT_FALSE(ApplyFilter(filter(), series, {.period = kGap}).ok());
  EXPECT_FALSE(ApplyFilter(filter(), series, {.period = 1e9}).ok());
}

INSTANTIATE_TEST_SUITE_P(Filters, FilterContract,
                         ::testing::Range(std::size_t{0}, BuiltinFilters().size()),
                         [](const auto& tested) {
                           return std::string(BuiltinFilters()[tested.param].name);
                         });

TEST(Filters, AnUnknownOneIsToldTheKnown) {
  EXPECT_TRUE(FindFilter("comb").status().message().starts_with(
      "there is no filter 'comb'; the filters are default_na, outlier_remover"));
}

TEST(Filters, DefaultNaByHand) {
  EXPECT_EQ(Filtered("default_na", {1, kGap, 3}, {.value = -5}), (std::vector<double>{1, -5, 3}));
}

TEST(Filters, OutlierRemoverByHand) {
  // About the middle of 25 points: 0 and 1 by turns, and a 100, which goes to the line between a 0
  // and a 0.
  std::vector<double> values;
  for (int i = 0; i < 25; ++i) values.push_back(i % 2);
  values[13] = 100;
  EXPECT_EQ(OutliersOf(values, {}), (std::vector<std::size_t>{13}));
  std::vector<double> wanted = values;
  wanted[13] = 0;
  EXPECT_EQ(Filtered("outlier_remover", values, {.season = std::nullopt}), wanted);
  // At an end it takes its neighbour's.
  values[13] = 1;
  values[24] = -80;
  wanted = values;
  wanted[24] = 1;
  EXPECT_EQ(Filtered("outlier_remover", values, {.season = std::nullopt}), wanted);
}

TEST(Filters, WhereHalfIsOneValueTheMiddle98PercentSayWhatIsFar) {
  // 20 of 504 are a little more, one is far off.
  std::vector<double> values(504, 4);
  for (std::size_t i = 0; i < 20; ++i) values[25 * i] = 5;
  values[333] = 5'000;
  const std::vector<std::size_t> far = {333};
  EXPECT_EQ(OutliersOf(values, {}), far);
  EXPECT_EQ(Filtered("outlier_remover", values, {.season = std::nullopt})[333], 4);
}

TEST(Filters, WhereNearlyAllIsOneValueWhateverDiffersIsAnOutlier) {
  std::vector<double> values(504, 4);
  values[100] = 4.5;
  values[333] = -5'000;
  EXPECT_EQ(OutliersOf(values, {}), (std::vector<std::size_t>{100, 333}));
  EXPECT_TRUE(OutliersOf(std::vector<double>(504, 4), {}).empty());
  // What STL rounds is no outlier: a wave that repeats exactly is left as it is.
  std::vector<double> wave;
  for (int i = 0; i < 504; ++i) wave.push_back(100 + 10 * std::sin(i % 24 / 24.0 * 6.28319));
  EXPECT_TRUE(OutliersOf(wave, std::vector<std::size_t>{24}).empty());
}

TEST(Filters, AnOutlierOfItsHourIsSeenOnceTheSeasonIsTakenOff) {
  // 100 at every sixth point but one, where it is 0 as elsewhere.
  std::vector<double> values;
  for (int i = 0; i < 120; ++i) values.push_back((i % 6 == 2 ? 100 : 0) + i % 5);
  values[62] = 0;
  const auto kept = [&](std::optional<std::size_t> season) {
    return Filtered("outlier_remover", values, {.season = season})[62];
  };
  EXPECT_GT(kept(6), 0);
  EXPECT_EQ(kept(std::nullopt), 0);
}

TEST(Filters, ASeasonsPeaksAreNoOutliers) {
  Rng rng(2);
  std::vector<double> values;
  for (int i = 0; i < 240; ++i) values.push_back((i % 24 == 9 ? 100.0 : 0.0) + rng.Normal());
  EXPECT_EQ(OutliersOf(values, std::vector<std::size_t>{24}), std::vector<std::size_t>{});
  EXPECT_EQ(OutliersOf(values, {}).size(), 10U);
}

TEST(Filters, SmoothingByHand) {
  // Level 10, half of each error: 12 -> 11, 9 -> 10, 14 -> 12.
  EtsModel model{.weights = {.alpha = 0.5}, .state = {.level = 10}};
  EXPECT_EQ(SmoothedBy(model, std::vector<double>{12, 9, 14}), (std::vector<double>{11, 10, 12}));
  // With a slope of 1, which gains a quarter of each error: 11 is met, level and slope are 11 and
  // 1; 16 is 4 above 12, so 14 and 2; then 16 is met.
  model.form.trend = EtsTrend::kAdditive;
  model.weights.beta = 0.25;
  model.state.slope = 1;
  EXPECT_EQ(SmoothedBy(model, std::vector<double>{11, 16, 16}), (std::vector<double>{11, 14, 16}));
  // Two phases of +2 and -2, which gain a quarter: 12 is met; 12 is 4 above 8, so the level is 12
  // and the season -1.
  EtsModel seasonal{.form = {.season = EtsSeason::kAdditive},
                    .weights = {.alpha = 0.5, .gamma = 0.25},
                    .state = {.level = 10, .season = {2, -2}}};
  EXPECT_EQ(SmoothedBy(seasonal, std::vector<double>{12, 12}), (std::vector<double>{12, 11}));
  // All at once: 13 is met by 10 + 1 + 2; 14 is 4 above 11 + 1 - 2, so level, slope and season are
  // 14, 2 and -1; 14 is 4 below 14 + 2 + 2, so they are 14, 1 and 1.
  seasonal.form.trend = EtsTrend::kAdditive;
  seasonal.weights.beta = 0.25;
  seasonal.state.slope = 1;
  EXPECT_EQ(SmoothedBy(seasonal, std::vector<double>{13, 14, 14}),
            (std::vector<double>{13, 13, 15}));
}

TEST(Filters, AFittedSmootherIsNearerToTheSignal) {
  Rng rng(6);
  std::vector<double> signal;
  std::vector<double> noisy;
  for (int i = 0; i < 200; ++i) {
    signal.push_back(100 + 0.5 * i + 10 * std::sin(i * std::numbers::pi / 6));
    noisy.push_back(signal.back() + 3 * rng.Normal());
  }
  const auto error = [&](const std::vector<double>& values) {
    double squares = 0;
    for (std::size_t i = 50; i < 200; ++i) squares += std::pow(values[i] - signal[i], 2);
    return squares;
  };
  EXPECT_LT(error(Filtered("holt_winters", noisy, {.season = 12})), 0.7 * error(noisy));
}

TEST(Filters, ASeasonNeedsTwiceItsLength) {
  const TimeSeries series{.start = {}, .values = std::vector<double>(20, 1)};
  const auto said = [&](std::string_view name, std::optional<std::size_t> season) {
    return ApplyFilter(*FindFilter(name).value(), series, {.season = season}).status().message();
  };
  EXPECT_EQ(said("holt_winters", 11),
            "holt_winters takes a season of at most 60 points and half of the 20 points, not 11; "
            "give a shorter one, or take holt");
  EXPECT_EQ(said("holt_winters", std::nullopt),
            "holt_winters takes a season; holt is it without one");
  EXPECT_EQ(said("outlier_remover", 11),
            "outlier_remover takes a season of at most half of the 20 points, not 11; give a "
            "shorter one or none");
  for (const std::string_view name : {"holt_winters", "outlier_remover"}) {
    EXPECT_EQ(said(name, 10), "") << name;
    // Twice as much is beyond what a number of points holds.
    EXPECT_NE(said(name, std::numeric_limits<std::size_t>::max() / 2 + 1), "") << name;
  }
}

using LongRows = std::vector<std::vector<long double>>;

// By plain elimination; the last column is the right side.
std::vector<long double> Solved(LongRows rows) {
  const std::size_t n = rows.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t other = 0; other < n; ++other) {
      if (other == i) continue;
      const long double factor = rows[other][i] / rows[i][i];
      for (std::size_t k = i; k <= n; ++k) rows[other][k] -= factor * rows[i][k];
    }
  }
  std::vector<long double> solved;
  for (std::size_t i = 0; i < n; ++i) solved.push_back(rows[i][n] / rows[i][i]);
  return solved;
}

// The trend is values - K'z, K being second differences, where (I / penalty + KK') z = K values:
// long periods cost no digits here, as straight lines, which they leave, are not in it.
std::vector<double> SlowHodrickPrescott(const std::vector<double>& values, double period) {
  if (values.size() < 3) return values;
  const std::size_t n = values.size() - 2;
  const long double weights[] = {1, -2, 1};
  LongRows rows(n, std::vector<long double>(n + 1, 0));
  for (std::size_t i = 0; i < n; ++i) {
    rows[i][i] += std::pow(2 * std::sin(std::numbers::pi_v<long double> / period), 4);
    for (std::size_t a = 0; a < 3; ++a) {
      rows[i][n] += weights[a] * values[i + a];
      for (std::size_t b = 0; b < 3; ++b) {
        if (i + a >= b && i + a - b < n) rows[i][i + a - b] += weights[a] * weights[b];
      }
    }
  }
  const std::vector<long double> bends = Solved(rows);
  std::vector<double> trend = values;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t a = 0; a < 3; ++a) {
      trend[i + a] -= static_cast<double>(weights[a] * bends[i]);
    }
  }
  return trend;
}

TEST(Filters, HodrickPrescottByHandAndByElimination) {
  // With period 6, w = 1 and the penalty 1. Of 0, 3, 0 the bend is -6, and that of the trend
  // b = -6 / (1 + 6): the trend is the values less b (1, -2, 1).
  const std::vector<double> trend = Filtered("hodrick_prescott", {0, 3, 0}, {.period = 6});
  EXPECT_NEAR(trend[0], 6.0 / 7, 1e-12);
  EXPECT_NEAR(trend[1], 3 - 12.0 / 7, 1e-12);
  EXPECT_NEAR(trend[2], 6.0 / 7, 1e-12);
  Rng rng(8);
  for (std::size_t n = 1; n < 30; ++n) {
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(10 * rng.Normal());
    const double period = 3 + 20 * rng.Unit();
    const std::vector<double> fast = Filtered("hodrick_prescott", values, {.period = period});
    const std::vector<double> slow = SlowHodrickPrescott(values, period);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(fast[i], slow[i], 1e-10);
  }
}

TEST(Filters, HodrickPrescottIsAccurateUpToTheLongestPeriod) {
  std::vector<double> values;
  for (int i = 0; i < 120; ++i) values.push_back(120 + 50 * std::sin(i * 0.26) + i * i * 7 % 23);
  for (const double period : {500.0, 2'000.0, kFilterPeriodMax}) {
    const std::vector<double> fast = Filtered("hodrick_prescott", values, {.period = period});
    const std::vector<double> slow = SlowHodrickPrescott(values, period);
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(fast[i], slow[i], 1e-8) << period;
  }
}

// The figures, of 60 digits, are those of `python3 testdata/forecast/reference_long_trends.py`.
TEST(Filters, HodrickPrescottOfLongSeriesIsThatOfSixtyDigits) {
  std::vector<double> values;
  for (int i = 0; i < 4'000; ++i) {
    values.push_back(120 + 50 * std::sin(0.26 * i) * std::cos(0.01 * i) + i % 23 * 7 % 23);
  }
  const std::size_t at[] = {0, 1, 1'999, 3'999};
  const auto check = [&](double period, std::array<double, 4> figures) {
    const std::vector<double> out = Filtered("hodrick_prescott", values, {.period = period});
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(out[at[i]], figures[i], 1e-7) << period << at[i];
  };
  check(2'000, {131.8267910021, 131.8249552175, 130.9991292928, 130.4404614252});
  check(10'000, {131.2577572810, 131.2576259661, 131.0125599566, 130.7817729818});
}

TEST(Filters, ButterworthKeepsAStraightLineAndHalvesItsPeriod) {
  std::vector<double> line;
  for (int i = 0; i < 50; ++i) line.push_back(3.0 * i - 20);
  const std::vector<double> kept = Filtered("butterworth", line);
  for (std::size_t i = 0; i < line.size(); ++i) EXPECT_NEAR(kept[i], line[i], 0.5);
  std::vector<double> wave;
  for (int i = 0; i < 600; ++i) wave.push_back(std::sin(2 * std::numbers::pi * i / 12));
  const std::vector<double> halved = Filtered("butterworth", wave, {.period = 12});
  for (std::size_t i = 100; i < 500; ++i) EXPECT_NEAR(halved[i], wave[i] / 2, 1e-6);
}

TEST(Filters, ChristianoFitzgeraldByHand) {
  // Period 4: the ideal weights are 1/2, -1/pi, 0. Of 0, 4, 0 without drift the cycle of the middle
  // is 4/2, plus the ends' zeros; of the first, 0/2 - 4/pi, plus zeros.
  const std::vector<double> kept = Filtered("christiano_fitzgerald", {0, 4, 0}, {.period = 4});
  EXPECT_NEAR(kept[0], 4 / std::numbers::pi, 1e-12);
  EXPECT_NEAR(kept[1], 2, 1e-12);
  EXPECT_NEAR(kept[2], 4 / std::numbers::pi, 1e-12);
}

struct FilterReference {
  std::string_view filter;
  double period;
  double figures[4];  // Of the points 1, 2, 31 and 60.
};

TEST(Filters, AsInStatsmodelsAndScipy) {
  const FilterReference references[] = {
      {"butterworth", 6, {11.999381256, 13.029992819, 22.951582911, 24.071751282}},
      {"butterworth", 12, {11.990583814, 12.119174345, 20.663326843, 24.117701804}},
      {"butterworth", 30, {11.927340448, 11.906453804, 19.264779110, 24.228981368}},
      {"christiano_fitzgerald", 6, {12.005801188, 13.070446173, 23.532507290, 25.429231170}},
      {"christiano_fitzgerald", 12, {12.121980503, 12.008372906, 20.256531833, 27.270869184}},
      {"christiano_fitzgerald", 30, {11.296408504, 11.347834965, 19.090902086, 26.200599657}},
      {"hodrick_prescott", 6, {11.948520942, 12.775693840, 22.762701427, 24.723970293}},
      {"hodrick_prescott", 12, {12.853594700, 12.694757744, 20.718233654, 27.528993067}},
      {"hodrick_prescott", 30, {11.715079194, 11.713464797, 19.252343129, 28.429014464}},
  };
  for (const FilterReference& reference : references) {
    const std::vector<double> out =
        Filtered(reference.filter, FilterSeries(), {.period = reference.period});
    const std::size_t at[] = {0, 1, 30, 59};
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(out[at[i]], reference.figures[i], 1e-6) << reference.filter << at[i];
    }
  }
}

}  // namespace
}  // namespace berth
