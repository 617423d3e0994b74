#include "perfmodel/lasso.h"

#include <gtest/gtest.h>

#include <cmath>

#include "berth/rng.h"
#include "perfmodel/column_scale.h"

namespace berth {
namespace {

// Coordinate descent as it is defined, on residuals, until nothing moves.
std::vector<double> LassoByDefinition(const std::vector<double>& x, const std::vector<double>& y,
                                      std::size_t rows, double penalty) {
  const std::size_t features = x.size() / rows, targets = y.size() / rows;
  std::vector<double> weights(features * targets, 0);
  const auto n = static_cast<double>(rows);
  for (int sweep = 0; sweep < 20'000; ++sweep) {
    double moved = 0;
    for (std::size_t j = 0; j < features; ++j) {
      std::vector<double> along(targets, 0);
      double square = 0;
      for (std::size_t r = 0; r < rows; ++r) {
        const double xj = x[r * features + j];
        square += xj * xj / n;
        for (std::size_t t = 0; t < targets; ++t) {
          double rest = y[r * targets + t];
          for (std::size_t i = 0; i < features; ++i) {
            if (i != j) rest -= x[r * features + i] * weights[i * targets + t];
          }
          along[t] += xj * rest / n;
        }
      }
      double size = 0;
      for (const double one : along) size += one * one;
      size = std::sqrt(size);
      for (std::size_t t = 0; t < targets; ++t) {
        const double best = size > penalty ? along[t] * (1 - penalty / size) / square : 0;
        moved = std::max(moved, std::abs(best - weights[j * targets + t]));
        weights[j * targets + t] = best;
      }
    }
    if (moved < 1e-13) break;
  }
  return weights;
}

struct LassoCase {
  std::vector<double> x, y;
  std::size_t rows, features, targets;
};

LassoCase RandomCase(Rng& rng) {
  LassoCase made{
      .rows = 8 + rng.Below(25), .features = 1 + rng.Below(10), .targets = 1 + rng.Below(3)};
  for (std::size_t r = 0; r < made.rows; ++r) {
    const double shared = rng.Normal();  // Features that are much alike.
    for (std::size_t j = 0; j < made.features; ++j) made.x.push_back(rng.Normal() + 2 * shared);
    for (std::size_t t = 0; t < made.targets; ++t) {
      made.y.push_back(made.x[r * made.features] + 0.5 * rng.Normal());
    }
  }
  ScaleOf(made.x, made.features).Apply(made.x);
  ScaleOf(made.y, made.targets).Apply(made.y);
  return made;
}

TEST(Lasso, OneFeatureByHand) {
  // x.y / rows = 2, x.x / rows = 1: 2 less the penalty.
  const std::vector<double> x = {1, -1, 1, -1}, y = {3, -1, 1, -3};
  EXPECT_NEAR(SolveLasso(x, y, 4, {.penalty = 0.5, .gap = 1e-12}).coefficients[0], 1.5, 1e-9);
  EXPECT_EQ(SolveLasso(x, y, 4, {.penalty = 2}).coefficients[0], 0);
}

TEST(Lasso, IsPlainCoordinateDescent) {
  Rng rng(5);
  for (int i = 0; i < 60; ++i) {
    const LassoCase made = RandomCase(rng);
    const double penalty = 0.01 + 0.4 * rng.Unit();
    const std::vector<double> expected = LassoByDefinition(made.x, made.y, made.rows, penalty);
    const LassoSolution found =
        SolveLasso(made.x, made.y, made.rows, {.penalty = penalty, .gap = 1e-13});
    for (std::size_t j = 0; j < expected.size(); ++j) {
      ASSERT_NEAR(found.coefficients[j], expected[j], 1e-5) << i << " " << j;
    }
  }
}

// At the least objective a feature's slope is the penalty, along its coefficients; where they are
// zero, it is no steeper.
TEST(Lasso, NoCoefficientCanBeMovedToLowerTheObjective) {
  Rng rng(6);
  for (int i = 0; i < 40; ++i) {
    const LassoCase made = RandomCase(rng);
    const double penalty = 0.05;
    const LassoSolution found =
        SolveLasso(made.x, made.y, made.rows, {.penalty = penalty, .gap = 1e-13});
    for (std::size_t j = 0; j < made.features; ++j) {
      double slope_square = 0, size = 0, along = 0;
      for (std::size_t t = 0; t < made.targets; ++t) {
        double slope = 0;
        for (std::size_t r = 0; r < made.rows; ++r) {
          double rest = made.y[r * made.targets + t];
          for (std::size_t k = 0; k < made.features; ++k) {
            rest -= made.x[r * made.features + k] * found.coefficients[k * made.targets + t];
          }
          slope += made.x[r * made.features + j] * rest / static_cast<double>(made.rows);
        }
        const double weight = found.coefficients[j * made.targets + t];
        slope_square += slope * slope;
        size += weight * weight;
        along += slope * weight;
      }
      size = std::sqrt(size);
      EXPECT_LE(std::sqrt(slope_square), penalty + 1e-5);
      if (size > 0) EXPECT_NEAR(along, penalty * size, 1e-5);
    }
  }
}

TEST(Lasso, ConstantFeaturesAndTargetsAreLeftAlone) {
  const LassoSolution found =
      SolveLasso(std::vector<double>{0, 1, 0, -1}, std::vector<double>{0, 0}, 2, {});
  EXPECT_EQ(found.coefficients, (std::vector<double>{0, 0}));
}

TEST(Lasso, MoreFeaturesThanRows) {
  Rng rng(8);
  constexpr std::size_t kRows = 30, kFeatures = 300;
  std::vector<double> x, y;
  for (std::size_t i = 0; i < kRows * kFeatures; ++i) x.push_back(rng.Normal());
  for (std::size_t r = 0; r < kRows; ++r) y.push_back(x[r * kFeatures + 7] - x[r * kFeatures + 9]);
  ScaleOf(x, kFeatures).Apply(x);
  ScaleOf(y, 1).Apply(y);
  const LassoSolution found = SolveLasso(x, y, kRows, {.penalty = 0.3, .gap = 1e-10});
  EXPECT_LE(found.gap, 1e-10);
  EXPECT_GT(found.coefficients[7], 0.2);
  EXPECT_LT(found.coefficients[9], -0.2);
}

}  // namespace
}  // namespace berth
