// What every correlator must hold to, cases worked out by hand, and figures of R and scipy, which
// testdata/forecast/reference_correlators.R and reference_filters.py print.
#include "forecast/correlator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "berth/rng.h"
#include "forecast/distance_correlation.h"

namespace berth {
namespace {

using Pairs = std::pair<std::vector<double>, std::vector<double>>;

Pairs CorrelatedSeries() {
  Pairs pairs;
  for (int i = 0; i < 80; ++i) {
    const double x = std::sin(0.9 * i) + 0.1 * (i % 7);
    pairs.first.push_back(x);
    pairs.second.push_back(x * x + 0.3 * std::cos(1.7 * i * i));
  }
  return pairs;
}

double ValueOf(std::string_view correlator, const Pairs& pairs) {
  const auto value = FindCorrelator(correlator).value()->correlate(pairs.first, pairs.second);
  EXPECT_TRUE(value.has_value());
  return value.value_or(-2);
}

TimeSeries SeriesFrom(int start_hours, std::vector<double> values) {
  return {.start = TimeFromMicros(0) + std::chrono::hours(start_hours),
          .values = std::move(values)};
}

class CorrelatorContract : public ::testing::TestWithParam<std::size_t> {
 protected:
  const CorrelatorEntry& correlator() const { return BuiltinCorrelators()[GetParam()]; }
};

TEST_P(CorrelatorContract, IsANumberWithinMinusOneAndOne) {
  Rng rng(4);
  const std::function<double(int)> shapes[] = {
      [&](int) { return rng.Normal(); },
      [&](int i) { return i % 3; },
      [&](int i) { return i == 17 ? 1e99 : 1e99 * rng.Unit(); },
      [&](int i) { return i == 5 ? 1.0 : 0.0; },
  };
  for (const auto& one : shapes) {
    for (const auto& other : shapes) {
      Pairs pairs;
      for (int i = 0; i < 40; ++i) {
        pairs.first.push_back(one(i));
        pairs.second.push_back(other(i));
      }
      const auto value = correlator().correlate(pairs.first, pairs.second);
      if (value) {
        EXPECT_TRUE(*value >= -1 - 1e-9 && *value <= 1 + 1e-9) << *value;
      }
    }
  }
}

TEST_P(CorrelatorContract, OfAConstantThereIsNone) {
  const std::vector<double> varying = CorrelatedSeries().first;
  const std::span<const double> some = std::span(varying).first(20);
  // Of twenty times 0.1 or 0.7 the average is another number.
  for (const double value : {3.0, 0.1, 0.7}) {
    const std::vector<double> constant(20, value);
    EXPECT_FALSE(correlator().correlate(constant, some).has_value());
    EXPECT_FALSE(correlator().correlate(some, constant).has_value());
    EXPECT_FALSE(correlator().correlate(constant, std::vector<double>(20, 0.7)).has_value());
    const auto none = Correlate(correlator(), SeriesFrom(0, constant), SeriesFrom(0, constant), 3);
    EXPECT_EQ(none.status().code(), Code::kInvalidArgument);
  }
}

TEST_P(CorrelatorContract, TooManyPointsAreRefused) {
  const TimeSeries many = SeriesFrom(0, std::vector<double>(correlator().points_max + 1, 1));
  const Status status = Correlate(correlator(), many, many, 0).status();
  EXPECT_NE(status.message().find("aggregate them first"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Correlators, CorrelatorContract,
                         ::testing::Range(std::size_t{0}, BuiltinCorrelators().size()),
                         [](const auto& tested) {
                           return std::string(BuiltinCorrelators()[tested.param].name);
                         });

TEST(Correlators, AnUnknownOneIsToldTheKnown) {
  EXPECT_TRUE(FindCorrelator("ouija").status().message().starts_with(
      "there is no correlator 'ouija'; the correlators are pearson, spearman, mic"));
}

TEST(Correlators, PearsonAndSpearmanByHand) {
  // About their averages: -1, 0, 1 and -1, -2, 3: (1 + 3) / sqrt(2 * 14).
  EXPECT_NEAR(ValueOf("pearson", {{1, 2, 3}, {1, 0, 5}}), 4 / std::sqrt(28), 1e-12);
  // Ranks 0, 1.5, 1.5, 3 and 0, 1, 2, 3; about 1.5: (2.25 + 2.25) / sqrt(4.5 * 5).
  EXPECT_NEAR(ValueOf("spearman", {{1, 5, 5, 90}, {-3, 2, 7, 8}}), 4.5 / std::sqrt(22.5), 1e-12);
}

TEST(Correlators, DistanceByHand) {
  // Of 0, 1, 3: distances 1, 3, 2. Twice the same series is as like as can be.
  EXPECT_NEAR(*DistanceCorrelation(std::vector<double>{0, 1, 3}, std::vector<double>{7, 5, 1}), 1,
              1e-12);
  // 0, 1, 0, 1 beside 0, 0, 1, 1: each distance is 0 or 1, all averages are one half, so centred
  // they are +-1/2, and the signs of the two cancel.
  EXPECT_NEAR(
      *DistanceCorrelation(std::vector<double>{0, 1, 0, 1}, std::vector<double>{0, 0, 1, 1}), 0,
      1e-12);
  // Without bias, rows are sums over 2 and the whole over 6: a row's is 1, the whole's 4/3. The
  // four pairs of distance 1 are 1/3, the two of distance 0 are -2/3; together 8/9 + 16/9 on each
  // side. Both are 1/3 on 2 of 6 pairs, of unlike distance on 4: 2 (2/9 - 4 * 2/9) = -12/9.
  EXPECT_NEAR(*UnbiasedDistanceCorrelation(std::vector<double>{0, 1, 0, 1},
                                           std::vector<double>{0, 0, 1, 1}),
              -0.5, 1e-12);
}

TEST(Correlators, DistanceAffineByHand) {
  // Of zeros and ones a centred distance is -2 times the product of the deviations, so the
  // correlation is Pearson's in size: deviations of 1 and 3 quarters and of 2 quarters make
  // 8 / sqrt(12 * 16) sixteenths.
  EXPECT_NEAR(ValueOf("distance_affine", {{0, 0, 0, 1}, {0, 0, 1, 1}}), 1 / std::sqrt(3), 1e-12);
  EXPECT_NEAR(ValueOf("distance_affine", {{7, 7, 7, 4}, {0, 0, 50, 50}}), 1 / std::sqrt(3), 1e-12);
  EXPECT_NEAR(ValueOf("distance_affine", {{0, 1, 0, 1}, {0, 0, 1, 1}}), 0, 1e-12);
}

TEST(Correlators, WhereDistancesCancelThereIsNone) {
  // Without bias those of a single point that differs do; what is left of 1,000 are roundings.
  Rng rng(3);
  Pairs pairs;
  for (int i = 0; i < 1'000; ++i) {
    pairs.first.push_back(i == 300 ? 0.7 : 0.1);
    pairs.second.push_back(rng.Normal());
  }
  EXPECT_FALSE(UnbiasedDistanceCorrelation(pairs.first, pairs.second).has_value());
  EXPECT_TRUE(DistanceCorrelation(pairs.first, pairs.second).has_value());
}

TEST(Correlators, PearsonDependsNeitherOnUnitsNorOnLevel) {
  const double wanted = ValueOf("pearson", {{1, 2, 4, 3}, {0, 5, 2, 7}});
  EXPECT_NEAR(ValueOf("pearson", {{1e-200, 2e-200, 4e-200, 3e-200}, {0, 5e99, 2e99, 7e99}}), wanted,
              1e-12);
  EXPECT_NEAR(ValueOf("pearson", {{1e15 + 1, 1e15 + 2, 1e15 + 4, 1e15 + 3}, {0, 5, 2, 7}}), wanted,
              1e-12);
}

TEST(Correlators, AsInR) {
  const Pairs pairs = CorrelatedSeries();
  EXPECT_NEAR(ValueOf("pearson", pairs), 0.775291996, 1e-8);
  EXPECT_NEAR(ValueOf("spearman", pairs), 0.683380216, 1e-8);
  EXPECT_NEAR(ValueOf("distance", pairs), 0.830268777, 1e-8);
  EXPECT_NEAR(ValueOf("distance_affine", pairs), 0.830268777, 1e-8);
  EXPECT_NEAR(ValueOf("distance_unbiased", pairs), 0.683071292, 1e-8);
  EXPECT_NEAR(ValueOf("mic", pairs), 0.805496377, 1e-8);
  EXPECT_NEAR(ValueOf("mas", pairs), 0.090471186, 1e-8);
  EXPECT_NEAR(ValueOf("mev", pairs), 0.805496377, 1e-8);
  EXPECT_NEAR(ValueOf("tic", pairs), 0.662496922, 1e-8);
  EXPECT_NEAR(ValueOf("gmic", pairs), 0.753153869, 1e-8);
}

TEST(Correlators, AsInRWithTies) {
  Pairs pairs = CorrelatedSeries();
  for (double& x : pairs.first) x = std::nearbyint(3 * x);
  EXPECT_NEAR(ValueOf("mic", pairs), 0.788537880, 1e-8);
  EXPECT_NEAR(ValueOf("mas", pairs), 0.095750658, 1e-8);
  EXPECT_NEAR(ValueOf("mev", pairs), 0.788537880, 1e-8);
  EXPECT_NEAR(ValueOf("tic", pairs), 0.673662216, 1e-8);
  EXPECT_NEAR(ValueOf("gmic", pairs), 0.745720971, 1e-8);
}

TEST(Correlators, FindTheLag) {
  Rng rng(1);
  std::vector<double> first;
  for (int i = 0; i < 120; ++i) first.push_back(rng.Normal());
  std::vector<double> second = {0, 0, 0, 0, 0};
  for (std::size_t i = 0; i + 5 < first.size(); ++i) second.push_back(2 * first[i] + 1);
  for (const CorrelatorEntry& correlator : BuiltinCorrelators()) {
    if (correlator.name == "mas") continue;  // A straight line has no asymmetry.
    const auto found = Correlate(correlator, SeriesFrom(0, first), SeriesFrom(0, second), 8);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found.value().best.lag, 5) << correlator.name;
    EXPECT_EQ(found.value().best.pairs, 115U);
    EXPECT_EQ(found.value().lags.size(), 17U);
    // The same told by the clock: the second begins two hours later.
    const auto later = Correlate(correlator, SeriesFrom(0, first), SeriesFrom(2, second), 8);
    EXPECT_EQ(later.value().best.lag, 7) << correlator.name;
  }
}

TEST(Correlators, TheGreatestIsTheGreatestInSizeWithItsSign) {
  Rng rng(1);
  std::vector<double> first;
  for (int i = 0; i < 120; ++i) first.push_back(rng.Normal());
  std::vector<double> second = {0, 0, 0, 0, 0};
  for (std::size_t i = 0; i + 5 < first.size(); ++i) second.push_back(1 - 2 * first[i]);
  for (const std::string_view name : {"pearson", "spearman"}) {
    const auto found =
        Correlate(*FindCorrelator(name).value(), SeriesFrom(0, first), SeriesFrom(0, second), 8);
    EXPECT_EQ(found.value().best.lag, 5) << name;
    EXPECT_NEAR(found.value().best.value, -1, 1e-9) << name;
  }
  EXPECT_EQ(FindCorrelator("distance_unbiased").value()->sign, CorrelationSign::kNone);
}

TEST(Correlators, ResampleToTheLongerStep) {
  Rng rng(2);
  std::vector<double> fine;
  std::vector<double> hourly;
  for (int hour = 0; hour < 40; ++hour) {
    hourly.push_back(0);
    for (int i = 0; i < 12; ++i) {
      fine.push_back(rng.Normal());
      hourly.back() += fine.back() / 12;
    }
  }
  TimeSeries by_minutes = SeriesFrom(0, fine);
  by_minutes.step = std::chrono::minutes(5);
  const CorrelatorEntry& pearson = *FindCorrelator("pearson").value();
  const auto found = Correlate(pearson, by_minutes, SeriesFrom(0, hourly), 3);
  EXPECT_EQ(found.value().step, std::chrono::hours(1));
  EXPECT_EQ(found.value().best.lag, 0);
  EXPECT_NEAR(found.value().best.value, 1, 1e-9);
  by_minutes.step = std::chrono::minutes(7);
  EXPECT_EQ(Correlate(pearson, by_minutes, SeriesFrom(0, hourly), 3).status().message(),
            "the first series has a point every 7m, the second every 1h, and neither is a multiple "
            "of the other; aggregate both to a step that is one of both first");
  EXPECT_FALSE(Correlate(pearson, SeriesFrom(0, fine), SeriesFrom(0, fine), kLagMax + 1).ok());
}

TEST(Correlators, AConstantIsOneInWindowsWithGapsToo) {
  TimeSeries constant = SeriesFrom(0, std::vector<double>(240, 0.1));
  constant.step = std::chrono::minutes(5);
  // Two of three times 0.1 and all three make averages that differ.
  for (std::size_t i = 20; i < 200; i += 17) {
    constant.values[i] = std::numeric_limits<double>::quiet_NaN();
  }
  Rng rng(2);
  std::vector<double> varying;
  for (int i = 0; i < 20; ++i) varying.push_back(rng.Normal());
  const CorrelatorEntry& pearson = *FindCorrelator("pearson").value();
  EXPECT_FALSE(Correlate(pearson, constant, SeriesFrom(0, varying), 3).ok());
}

TEST(Correlators, WindowsNotCoveredAreNotCompared) {
  std::vector<double> hourly;
  for (int i = 0; i < 24 * 10 + 1; ++i) hourly.push_back(i / 24 % 3);
  std::vector<double> daily;
  for (int i = 0; i < 11; ++i) daily.push_back(i % 3);
  TimeSeries days = SeriesFrom(0, daily);
  days.step = std::chrono::hours(24);
  const CorrelatorEntry& pearson = *FindCorrelator("pearson").value();
  const auto found = Correlate(pearson, SeriesFrom(0, hourly), days, 0);
  EXPECT_EQ(found.value().best.pairs, 10U);
}

TEST(Correlators, TellHowFarTheyAre) {
  std::vector<std::size_t> told;
  const std::vector<double> values = CorrelatedSeries().first;
  EXPECT_TRUE(Correlate(*FindCorrelator("pearson").value(), SeriesFrom(0, values),
                        SeriesFrom(0, values), 2, [&](std::size_t done) { told.push_back(done); })
                  .ok());
  EXPECT_EQ(told, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(Correlators, GapsAreLeftOut) {
  std::vector<double> first;
  for (int i = 0; i < 20; ++i) first.push_back(i * i);
  std::vector<double> second = first;
  second[7] = std::numeric_limits<double>::quiet_NaN();
  const auto found =
      Correlate(*FindCorrelator("pearson").value(), SeriesFrom(0, first), SeriesFrom(0, second), 0);
  EXPECT_EQ(found.value().best.pairs, 19U);
  EXPECT_NEAR(found.value().best.value, 1, 1e-12);
}

}  // namespace
}  // namespace berth
