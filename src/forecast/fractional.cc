#include "forecast/fractional.h"

#include <Eigen/QR>
#include <algorithm>
#include <limits>

namespace berth {
namespace {

constexpr double kMemoryMost = 0.45;

// What an autoregression fitted by least squares leaves, squared and summed. Every order is summed
// over the same values.
double SquaresLeft(std::span<const double> values, std::size_t order) {
  const auto rows = static_cast<Eigen::Index>(values.size() - order);
  Eigen::VectorXd now(rows);
  Eigen::MatrixXd past(rows, static_cast<Eigen::Index>(order));
  for (Eigen::Index row = 0; row < rows; ++row) {
    const auto at = static_cast<std::size_t>(row) + order;
    now(row) = values[at];
    for (std::size_t lag = 1; lag <= order; ++lag) {
      past(row, static_cast<Eigen::Index>(lag - 1)) = values[at - lag];
    }
  }
  if (order == 0) return now.squaredNorm();
  const Eigen::VectorXd found = past.colPivHouseholderQr().solve(now);
  return (now - past * found).squaredNorm();
}

}  // namespace

std::vector<double> FractionalWeights(double d, std::size_t count) {
  std::vector<double> weights;
  weights.reserve(count);
  for (std::size_t j = 0; j < count; ++j) {
    const auto back = static_cast<double>(j);
    weights.push_back(j == 0 ? 1 : weights.back() * (back - 1 - d) / back);
  }
  return weights;
}

std::vector<double> FractionalDifferences(std::span<const double> values, double d) {
  const std::vector<double> weights =
      FractionalWeights(d, std::min(values.size(), kFractionalMemory));
  std::vector<double> differences;
  differences.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < weights.size() && j <= i; ++j) sum += weights[j] * values[i - j];
    differences.push_back(sum);
  }
  return differences;
}

double EstimateMemory(std::span<const double> values, std::size_t order) {
  const auto squares = [&](double d) {
    return SquaresLeft(FractionalDifferences(values, d), order);
  };
  // A grid, then halving about its best: the sum of squares is smooth, but may have two valleys.
  double step = 0.1;
  double best = 0;
  double least = squares(0);
  for (int i = -4; i <= 4; ++i) {
    const double d = step * i;
    const double found = squares(d);
    if (found < least) {
      least = found;
      best = d;
    }
  }
  for (int halving = 0; halving < 8; ++halving) {
    step /= 2;
    const double middle = best;
    for (const double d : {middle - step, middle + step}) {
      if (d < -kMemoryMost || d > kMemoryMost) continue;
      const double found = squares(d);
      if (found < least) {
        least = found;
        best = d;
      }
    }
  }
  return best;
}

}  // namespace berth
