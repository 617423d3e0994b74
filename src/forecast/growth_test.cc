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

TEST(Growth, WhatGrowsIsKeptToHalfAsMuchAgain) {
  EXPECT_EQ(SharesKept({0.9}, 1.002, 10'000), std::vector<double>(10'000, 1));
  EXPECT_EQ(SharesKept({1}, 1.002, 10'000), std::vector<double>(10'000, 1));
  // Within 202 steps even the most that is allowed grows by less.
  EXPECT_EQ(SharesKept({1.0019}, 1.002, 202), std::vector<double>(202, 1));
  // By a thousandth a step it has grown by half after 405.
  const std::vector<double> shares = SharesKept({1.001}, 1.002, 10'000);
  for (std::size_t step = 1; step <= shares.size(); ++step) {
    const double grown = std::pow(1.001, step);
    if (step <= 400) EXPECT_EQ(shares[step - 1], 1);
    if (step > 400) EXPECT_LE(shares[step - 1] * grown, 1.5);
    if (step > 400) EXPECT_GE(shares[step - 1] * grown, 1.5 * 0.89);
  }
}

TEST(Growth, SharesAreThoseOfTheGrowthThatRunningItShows) {
  constexpr double kMost = 1.004;
  constexpr std::size_t kSteps = 1'000;
  Rng rng(5);
  for (int round = 0; round < 40; ++round) {
    std::vector<double> coefficients(2 + rng.Below(8), 0);
    for (double& one : coefficients) one = rng.Normal();
    // In other units it grows at this rate.
    const double rate = 0.998 + 0.005 * rng.Unit();
    const double per_step = rate / GrowthSeen(coefficients);
    double unit = 1;
    for (double& one : coefficients) one *= unit *= per_step;
    const double last = SharesKept(coefficients, kMost, kSteps).back();
    EXPECT_NEAR(last / std::min(1.0, 1.5 / std::pow(rate, kSteps)), 1, 0.25) << round;
  }
}

}  // namespace
}  // namespace berth
