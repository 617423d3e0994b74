#include "forecast/stl.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "berth/rng.h"

namespace berth {
namespace {

// Weighted least squares of the nearest values, written as the definition reads.
double SlowLoess(std::span<const double> values, std::size_t window, int degree, std::size_t at) {
  const std::size_t n = values.size();
  std::size_t left = 0;
  std::size_t right = n - 1;
  if (window < n) {
    const std::size_t half = (window - 1) / 2;
    left = at < half ? 0 : std::min(at - half, n - window);
    right = left + window - 1;
  }
  double reach = static_cast<double>(std::max(at - left, right - at));
  if (window > n) reach += static_cast<double>((window - n) / 2);
  double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
  for (std::size_t j = left; j <= right; ++j) {
    const double x = static_cast<double>(j) - static_cast<double>(at);
    const double share = std::abs(x) / reach;
    if (share > 0.999) continue;
    const double weight = share <= 0.001 ? 1 : std::pow(1 - std::pow(share, 3), 3);
    w += weight;
    wx += weight * x;
    wy += weight * values[j];
    wxx += weight * x * x;
    wxy += weight * x * values[j];
  }
  if (degree == 0) return wy / w;
  return (wxx * wy - wx * wxy) / (w * wxx - wx * wx);
}

TEST(Loess, IsAWeightedRegressionOfTheNearest) {
  Rng rng(5);
  for (const std::size_t window : {5U, 11U, 51U}) {
    for (const int degree : {0, 1}) {
      std::vector<double> values;
      for (int i = 0; i < 40; ++i) values.push_back(rng.Normal() + 0.1 * i);
      const std::vector<double> smooth = Loess(values, {.window = window, .degree = degree});
      for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_NEAR(smooth[i], SlowLoess(values, window, degree, i), 1e-9) << window << " at " << i;
      }
    }
  }
}

TEST(Loess, AnAverageOfThreeByHand) {
  // The outer two of three are at the edge of the neighbourhood and weigh nothing, but at the ends.
  const std::vector<double> smooth =
      Loess(std::vector<double>{1, 5, 3}, {.window = 3, .degree = 0});
  EXPECT_DOUBLE_EQ(smooth[1], 5);
  const double weight = std::pow(1 - 1.0 / 8, 3);
  EXPECT_DOUBLE_EQ(smooth[0], (1 + 5 * weight) / (1 + weight));
}

TEST(Loess, BetweenJumpsAreStraightLines) {
  Rng rng(6);
  std::vector<double> values;
  for (int i = 0; i < 22; ++i) values.push_back(rng.Normal());
  const std::vector<double> all = Loess(values, {.window = 7});
  const std::vector<double> some = Loess(values, {.window = 7, .jump = 4});
  for (const std::size_t i : {0U, 4U, 20U, 21U}) EXPECT_DOUBLE_EQ(some[i], all[i]);
  EXPECT_NEAR(some[6], (some[4] + some[8]) / 2, 1e-12);
}

TEST(Stl, PartsOfALineAndASeasonAreThose) {
  const std::vector<double> season = {4, -1, -3, 0};
  std::vector<double> values;
  for (std::size_t i = 0; i < 60; ++i)
    values.push_back(10 + 0.5 * static_cast<double>(i) + season[i % 4]);
  const StlParts parts = Stl(values, 4, 11);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(parts.season[i], season[i % 4], 0.1) << i;
    EXPECT_NEAR(parts.trend[i], 10 + 0.5 * static_cast<double>(i), 0.1) << i;
  }
}

TEST(Mstl, TellsTwoSeasonsApart) {
  Rng rng(8);
  std::vector<double> values, day, week;
  for (int i = 0; i < 504; ++i) {
    day.push_back(10 * std::sin(2 * std::numbers::pi * i / 24));
    week.push_back((i / 24) % 7 < 5 ? 4 : -10);
    values.push_back(100 + day.back() + week.back() + 0.1 * rng.Normal());
  }
  const std::vector<std::size_t> periods = {24, 168};
  const MstlParts parts = Mstl(values, periods);
  double error = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double sum = parts.seasons[0][i] + parts.seasons[1][i];
    EXPECT_NEAR(parts.adjusted[i] + sum, values[i], 1e-9);
    error += std::abs(sum - day[i] - week[i]) / 504;
  }
  EXPECT_LT(error, 0.5);
}

TEST(Mstl, WithoutPeriodsNothingIsTakenOff) {
  const std::vector<double> values = {1, 2, 3};
  EXPECT_EQ(Mstl(values, {}).adjusted, values);
}

}  // namespace
}  // namespace berth
