#include <array>
#include <cmath>
#include <numbers>

#include "forecast/filters/builtin.h"

namespace berth {
namespace {

// What a row of equations says of three neighbouring points.
struct ThreePoints {
  std::array<double, 3> weights{};
  double sum = 0;
};

constexpr std::array<double, 3> kNoWeights = {0, 0, 0};

// Rotates both so that the first of the three points is in the row alone.
void TakeFirstOut(ThreePoints& row, ThreePoints& equation) {
  const double length = std::hypot(row.weights[0], equation.weights[0]);
  const double cosine = row.weights[0] / length;
  const double sine = equation.weights[0] / length;
  const auto rotate = [&](double& kept, double& other) {
    const double before = kept;
    kept = cosine * before + sine * other;
    other = cosine * other - sine * before;
  };
  for (std::size_t k = 0; k < 3; ++k) rotate(row.weights[k], equation.weights[k]);
  rotate(row.sum, equation.sum);
}

// The least squares of banded equations by Givens rotations, which loses half the digits that their
// squares would: a long period leaves none of those.
class BandedLeastSquares {
 public:
  explicit BandedLeastSquares(std::size_t points) : rows_(points) {}

  // Of the points from `first` on. Equations come in the order of their first points.
  void Add(std::size_t first, ThreePoints equation) {
    for (std::size_t i = first; i < rows_.size() && equation.weights != kNoWeights; ++i) {
      if (equation.weights[0] != 0) TakeFirstOut(rows_[i], equation);
      equation.weights = {equation.weights[1], equation.weights[2], 0};
    }
  }

  std::vector<double> Solution() const {
    const std::size_t n = rows_.size();
    std::vector<double> solved(n);
    for (std::size_t i = n; i > 0; --i) {
      const auto& [weights, sum] = rows_[i - 1];
      double rest = sum;
      if (i < n) rest -= weights[1] * solved[i];
      if (i + 1 < n) rest -= weights[2] * solved[i + 1];
      solved[i - 1] = rest / weights[0];
    }
    return solved;
  }

 private:
  std::vector<ThreePoints> rows_;  // Of a triangle: each point beside the two after it.
};

}  // namespace

// The penalty is that which leaves half of a cycle of the period: gain 1 / (1 + penalty w^4) with
// w = 2 sin(pi / period). The usual 1,600 is a period of 39.7 points.
Result<std::vector<double>> FilterHodrickPrescott(const FilterInput& input) {
  const double w = 2 * std::sin(std::numbers::pi / input.settings.period);
  const double root = 1 / (w * w);
  BandedLeastSquares trend(input.values.size());
  for (std::size_t i = 0; i < input.values.size(); ++i) {
    trend.Add(i, {.weights = {1, 0, 0}, .sum = input.values[i]});
    if (i + 2 < input.values.size()) trend.Add(i, {.weights = {root, -2 * root, root}});
  }
  return trend.Solution();
}

}  // namespace berth
