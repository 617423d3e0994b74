#include "forecast/growth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "berth/rng.h"

namespace berth {
namespace {

// By how much it grows a step, as seen from running it for long. Zero if it ends.
double GrowthSeen(const std::vector<double>& coefficients) {
  constexpr int kSteps = 6'000;
  constexpr int kSettled = 2'000;
  std::vector<double> latest(coefficients.size());
  for (std::size_t i = 0; i < latest.size(); ++i) latest[i] = 1 + std::sin(static_cast<double>(i));
  double logs = 0;
  for (int step = 0; step < kSteps; ++step) {
    double next = 0;
    for (std::size_t i = 0; i < latest.size(); ++i) next += coefficients[i] * latest[i];
    latest.pop_back();
    latest.insert(latest.begin(), next);
    double squares = 0;
    for (const double value : latest) squares += value * value;
    if (squares == 0) return 0;
    for (double& value : latest) value /= std::sqrt(squares);
    if (step >= kSettled) logs += std::log(squares) / 2;
  }
  return std::exp(logs / (kSteps - kSettled));
}

TEST(Growth, ByHand) {
  EXPECT_TRUE(GrowsSlowerThan(1, {}));
  EXPECT_TRUE(GrowsSlowerThan(1, {0.9}));
  EXPECT_FALSE(GrowsSlowerThan(1, {1.0}));
  EXPECT_TRUE(GrowsSlowerThan(1.001, {1.0}));
  EXPECT_FALSE(GrowsSlowerThan(0.8, {0.9}));
  // Roots 0.5 and 1.5: x(t) = 2 x(t-1) - 0.75 x(t-2).
  EXPECT_FALSE(GrowsSlowerThan(1.49, {2, -0.75}));
  EXPECT_TRUE(GrowsSlowerThan(1.51, {2, -0.75}));
}

TEST(Growth, IsWhatRunningItShows) {
  Rng rng(3);
  int slower = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<double> coefficients(1 + rng.Below(round % 10 == 0 ? 60 : 8), 0);
    for (double& one : coefficients) {
      one = rng.Below(3) == 0 ? rng.Normal() / std::sqrt(static_cast<double>(coefficients.size()))
                              : 0;
    }
    const double seen = GrowthSeen(coefficients);
    const double rate = std::max(0.05, seen * (0.9 + 0.2 * rng.Unit()));
    if (std::abs(seen - rate) < 0.01 * rate) continue;
    EXPECT_EQ(GrowsSlowerThan(rate, coefficients), seen < rate) << round;
    slower += seen < rate ? 1 : 0;
  }
  EXPECT_GT(slower, 50);
  EXPECT_LT(slower, 150);
}

}  // namespace
}  // namespace berth
