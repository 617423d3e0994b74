// What every correlator must hold to, cases worked out by hand, and figures of R and scipy, which
// testdata/forecast/reference_correlators.R and reference_filters.py print.
#include "forecast/correlator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "berth/rng.h"
#include "forecast/distance_correlation.h"
#include "forecast/mine.h"

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
  const std::vector<double> constant(20, 3);
  const std::vector<double> varying = CorrelatedSeries().first;
  const std::span<const double> some = std::span(varying).first(20);
  EXPECT_FALSE(correlator().correlate(constant, some).has_value());
  EXPECT_FALSE(correlator().correlate(some, constant).has_value());
  const auto none = Correlate(correlator(), SeriesFrom(0, constant), SeriesFrom(0, constant), 3);
  EXPECT_EQ(none.status().code(), Code::kInvalidArgument);
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

TEST(Correlators, InformationByHand) {
  // Eight pairs on a rising line: cells of 8^0.6 = 3.5, so at least 4: two by two, which tell all.
  const std::vector<double> line = {1, 2, 3, 4, 5, 6, 7, 8};
  const auto matrix = InformationMatrix::Of(line, line);
  EXPECT_NEAR(matrix->Maximum(), 1, 1e-12);
  EXPECT_NEAR(matrix->Average(), 1, 1e-12);
  EXPECT_EQ(matrix->Asymmetry(), 0);
}

double UnknownBetween(const std::vector<std::size_t>& rows, std::size_t begin, std::size_t end) {
  double unknown = 0;
  for (std::size_t i = begin; i < end; ++i) {
    double same = 0;
    for (std::size_t j = begin; j < end; ++j) same += rows[j] == rows[i];
    unknown -= std::log2(same / static_cast<double>(end - begin));
  }
  return unknown;
}

// All ways to cut.
double SlowLeastUnknown(const std::vector<std::size_t>& rows, std::size_t begin,
                        std::size_t columns) {
  if (columns == 1) return UnknownBetween(rows, begin, rows.size());
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t cut = begin + 1; cut + columns - 1 <= rows.size(); ++cut) {
    least = std::min(least,
                     UnknownBetween(rows, begin, cut) + SlowLeastUnknown(rows, cut, columns - 1));
  }
  return least;
}

TEST(Correlators, TheBestCutsAreThoseOfTryingAll) {
  Rng rng(10);
  for (int round = 0; round < 30; ++round) {
    std::vector<std::size_t> rows;
    std::vector<std::size_t> boundaries = {0};
    for (std::size_t i = 0; i < 12; ++i) {
      rows.push_back(rng.Below(3));
      boundaries.push_back(i + 1);
    }
    const std::vector<double> least = LeastUnknown(rows, 3, boundaries, 5);
    for (std::size_t columns = 1; columns <= 5; ++columns) {
      EXPECT_NEAR(least[columns - 1], SlowLeastUnknown(rows, 0, columns), 1e-9);
    }
  }
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
  EXPECT_NE(Correlate(pearson, by_minutes, SeriesFrom(0, hourly), 3)
                .status()
                .message()
                .find("windows are a multiple of the series' step of 7m"),
            std::string::npos);
  EXPECT_FALSE(Correlate(pearson, SeriesFrom(0, fine), SeriesFrom(0, fine), kLagMax + 1).ok());
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
