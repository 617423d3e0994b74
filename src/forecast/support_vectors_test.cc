#include "forecast/support_vectors.h"

#include <gtest/gtest.h>

#include <cmath>

#include "berth/rng.h"

namespace berth {
namespace {

TEST(SupportVectors, TwoPointsByHand) {
  // Targets 1 and -1 at x = 0 and x = 2, a tube of 0.5, gamma 0.5: k = exp(-2) between the two. By
  // symmetry f = a (k(x, 0) - k(x, 2)), at the tube's edge where a (1 - k) = 0.5.
  const std::vector<std::vector<double>> rows = {{0}, {2}};
  const SupportVectors found(rows, std::vector<double>{1, -1},
                             {.cost = 100, .tube = 0.5, .gamma = 0.5});
  EXPECT_EQ(found.count(), 2U);
  EXPECT_NEAR(found(std::vector<double>{0}), 0.5, 1e-3);
  EXPECT_NEAR(found(std::vector<double>{2}), -0.5, 1e-3);
  EXPECT_NEAR(found(std::vector<double>{1}), 0, 1e-3);
  const double a = 0.5 / (1 - std::exp(-2));
  const double at = a * (std::exp(-0.5 * 9) - std::exp(-0.5 * 1));
  EXPECT_NEAR(found(std::vector<double>{3}), at, 1e-3);
}

TEST(SupportVectors, WithinTheTubeNothingIsNeeded) {
  const std::vector<std::vector<double>> rows = {{0}, {1}, {2}};
  const SupportVectors flat(rows, std::vector<double>{5.01, 4.99, 5}, {.tube = 0.1});
  EXPECT_EQ(flat.count(), 0U);
  EXPECT_NEAR(flat(std::vector<double>{7}), 5, 0.1);
}

TEST(SupportVectors, ASmoothFunctionIsLearntToTheTube) {
  Rng rng(4);
  std::vector<std::vector<double>> rows;
  std::vector<double> targets;
  for (int i = 0; i < 200; ++i) {
    rows.push_back({2 * rng.Unit() - 1, 2 * rng.Unit() - 1});
    targets.push_back(std::sin(2 * rows.back()[0]) * rows.back()[1]);
  }
  SupportVectors found(rows, targets, {.cost = 1'000, .tube = 0.05, .gamma = 0.5});
  const SupportVectors moved = std::move(found);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_NEAR(moved(rows[i]), targets[i], 0.06);
}

}  // namespace
}  // namespace berth
