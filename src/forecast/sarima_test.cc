#include "forecast/sarima.h"

#include <gtest/gtest.h>

#include <cmath>

#include "berth/rng.h"
#include "forecast/sarima_fit.h"
#include "forecast/sarima_likelihood.h"

namespace berth {
namespace {

TEST(Sarima, PolynomialsMultiply) {
  // (1 - 0.5 B)(1 - 0.4 B^3) = 1 - 0.5 B - 0.4 B^3 + 0.2 B^4.
  const ArmaProcess process =
      Multiplied({.ar = {0.5}, .ma = {0.5}, .seasonal_ar = {0.4}, .seasonal_ma = {0.4}}, 3);
  EXPECT_EQ(process.ar, (std::vector<double>{0.5, 0, 0.4, -0.2}));
  EXPECT_EQ(process.ma, (std::vector<double>{0.5, 0, 0.4, 0.2}));
}

TEST(Sarima, DifferencesByHand) {
  const std::vector<double> values = {1, 2, 4, 7, 11};
  EXPECT_EQ(Differenced(values, {.d = 1}), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(Differenced(values, {.d = 2}), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(Differenced(values, {.d = 1, .seasonal_d = 1, .period = 2}),
            (std::vector<double>{2, 2}));
}

TEST(Sarima, AWalkByHand) {
  const SarimaModel walk{.order = {.d = 1, .constant = true}, .mean = 2, .variance = 9};
  EXPECT_EQ(walk.Means(std::vector<double>{5, 6, 10}, 3), (std::vector<double>{12, 14, 16}));
  const std::vector<double> deviations = walk.Deviations(4);
  EXPECT_DOUBLE_EQ(deviations[0], 3);
  EXPECT_DOUBLE_EQ(deviations[3], 6);
}

TEST(Sarima, TheSeasonGoesOn) {
  const SarimaModel seasonal{.order = {.seasonal_d = 1, .period = 3}, .variance = 4};
  EXPECT_EQ(seasonal.Means(std::vector<double>{0, 0, 0, 1, 5, 9}, 4),
            (std::vector<double>{1, 5, 9, 1}));
  EXPECT_DOUBLE_EQ(seasonal.Deviations(4)[2], 2);
  EXPECT_DOUBLE_EQ(seasonal.Deviations(4)[3], std::sqrt(8));
}

TEST(Sarima, IsWrittenAsUsual) {
  EXPECT_EQ(ToString(SarimaOrder{.p = 1, .d = 1, .q = 2}), "ARIMA(1,1,2)");
  EXPECT_EQ(ToString(SarimaOrder{.p = 2, .seasonal_q = 1, .period = 24, .constant = true}),
            "ARIMA(2,0,0)(0,0,1)[24] with mean");
}

std::vector<double> DrawnFrom(const ArmaProcess& process, std::size_t count, Rng& rng) {
  std::vector<double> errors, values;
  for (std::size_t t = 0; t < count + 200; ++t) {
    errors.push_back(rng.Normal());
    double value = errors[t];
    for (std::size_t i = 1; i <= std::min(t, process.ar.size()); ++i) {
      value += process.ar[i - 1] * values[t - i];
    }
    for (std::size_t j = 1; j <= std::min(t, process.ma.size()); ++j) {
      value += process.ma[j - 1] * errors[t - j];
    }
    values.push_back(value);
  }
  return {values.begin() + 200, values.end()};
}

TEST(SarimaFit, FindsWhatTheValuesWereDrawnFrom) {
  Rng rng(4);
  const SarimaCoefficients truth{
      .ar = {0.6}, .ma = {0.3}, .seasonal_ar = {}, .seasonal_ma = {-0.5}};
  const std::vector<double> values = DrawnFrom(Multiplied(truth, 6), 600, rng);
  const auto fitted =
      FitSarima(values, {.p = 1, .q = 1, .seasonal_q = 1, .period = 6, .constant = true});
  ASSERT_TRUE(fitted);
  EXPECT_NEAR(fitted->model.coefficients.ar[0], 0.6, 0.1);
  EXPECT_NEAR(fitted->model.coefficients.ma[0], 0.3, 0.1);
  EXPECT_NEAR(fitted->model.coefficients.seasonal_ma[0], -0.5, 0.1);
  EXPECT_NEAR(fitted->model.variance, 1, 0.15);
}

TEST(SarimaFit, NoValuesNearbyAreMoreLikely) {
  Rng rng(6);
  for (int round = 0; round < 5; ++round) {
    const std::vector<double> values = DrawnFrom({.ar = {0.5, -0.3}, .ma = {0.4}}, 80, rng);
    const SarimaOrder order{.p = 2, .q = 1, .constant = true};
    const auto fitted = FitSarima(values, order);
    ASSERT_TRUE(fitted);
    const ExactLikelihood likelihood(values, order);
    const SarimaCoefficients& best = fitted->model.coefficients;
    EXPECT_NEAR(likelihood(best).log_likelihood, fitted->log_likelihood, 1e-6);
    for (const double by : {-0.02, 0.02}) {
      for (int which = 0; which < 3; ++which) {
        SarimaCoefficients moved = best;
        (which == 2 ? moved.ma[0] : moved.ar[static_cast<std::size_t>(which)]) += by;
        EXPECT_LE(likelihood(moved).log_likelihood, fitted->log_likelihood + 1e-4);
      }
    }
  }
}

// Ten million deviations from zero and more.
TEST(SarimaFit, ALargeAverageIsNothingToTheProcess) {
  Rng rng(12);
  const std::vector<double> values = DrawnFrom({.ar = {0.6}, .ma = {0.3}}, 300, rng);
  const SarimaOrder order{.p = 1, .q = 1, .constant = true};
  const SarimaModel near_zero = FitSarima(values, order)->model;
  for (const double level : {1e7, 1e9, 1e11}) {
    std::vector<double> shifted = values;
    for (double& value : shifted) value += level;
    const SarimaModel model = FitSarima(shifted, order)->model;
    EXPECT_NEAR(model.coefficients.ar[0], near_zero.coefficients.ar[0], 0.01) << level;
    EXPECT_NEAR(model.coefficients.ma[0], near_zero.coefficients.ma[0], 0.01) << level;
    EXPECT_NEAR(model.mean - level, near_zero.mean, 0.01) << level;
    EXPECT_NEAR(model.variance, near_zero.variance, 0.01) << level;
    EXPECT_EQ(SelectSarima(shifted, 1, {}).model.order.d, 0U) << level;
  }
}

// Each adds up to the same, whether or not the average was near.
TEST(SarimaFit, TheBestAverageLeavesTheLeastSquares) {
  Rng rng(14);
  std::vector<double> values = DrawnFrom({.ar = {0.5}}, 100, rng);
  for (double& value : values) value += 1e8;
  const SarimaMatch match = ConditionalLikelihood(values, {.constant = true})(SarimaCoefficients{});
  double mean = 0;
  double squares = 0;
  for (const double value : values) mean += (value - 1e8) / 100;
  for (const double value : values) squares += (value - 1e8 - mean) * (value - 1e8 - mean);
  EXPECT_NEAR(match.mean - 1e8, mean, 1e-6);
  EXPECT_NEAR(match.variance, squares / 100, 1e-6);
}

TEST(SarimaFit, MayBeToldToHaveNoAverage) {
  Rng rng(16);
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(50 + rng.Normal());
  EXPECT_TRUE(SelectSarima(values, 1, {.d = 0}).model.order.constant);
  EXPECT_FALSE(SelectSarima(values, 1, {.d = 0, .constant = false}).model.order.constant);
}

TEST(SarimaFit, TooFewValuesAreNoFit) {
  EXPECT_FALSE(FitSarima(std::vector<double>{1, 2, 3, 4}, {.p = 2}));
  EXPECT_FALSE(FitSarima(std::vector<double>{1, 2, 3, 4}, {.seasonal_d = 1, .period = 4}));
}

TEST(SarimaFit, SelectsDifferencesWhereTheyAreNeeded) {
  Rng rng(8);
  std::vector<double> walk = {0}, seasonal;
  for (int i = 1; i < 200; ++i) walk.push_back(walk.back() + rng.Normal());
  for (int i = 0; i < 200; ++i) seasonal.push_back(10 * (i % 8) + rng.Normal());
  EXPECT_EQ(SelectSarima(walk, 1, {}).model.order.d, 1U);
  const SarimaOrder found = SelectSarima(seasonal, 8, {}).model.order;
  EXPECT_EQ(found.seasonal_d, 1U);
  EXPECT_EQ(found.d, 0U);
  EXPECT_GE(found.seasonal_q, 1U);  // What noise that was differenced needs.
}

TEST(SarimaFit, StaysWithinTheLimits) {
  Rng rng(10);
  const std::vector<double> values = DrawnFrom({.ar = {0.9}, .ma = {0.8}}, 150, rng);
  const SarimaOrder found = SelectSarima(values, 1, {.p = 0, .d = 0, .q = 3}).model.order;
  EXPECT_EQ(found.p, 0U);
  EXPECT_EQ(found.d, 0U);
  EXPECT_LE(found.q, 3U);
  EXPECT_GE(found.q, 1U);
}

}  // namespace
}  // namespace berth
