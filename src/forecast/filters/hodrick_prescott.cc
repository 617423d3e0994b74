#include <cmath>
#include <numbers>

#include "forecast/filters/builtin.h"

namespace berth {
namespace {

// Of (I + penalty K'K) x = values, K being second differences: symmetric, positive, five diagonals.
// Its factor L D L' has two below the main one.
std::vector<double> SolvedPentadiagonal(std::span<const double> values, double penalty) {
  const std::size_t n = values.size();
  std::vector<double> diagonal(n, 1);
  std::vector<double> first(n, 0);   // Row i, column i - 1.
  std::vector<double> second(n, 0);  // Row i, column i - 2.
  for (std::size_t i = 2; i < n; ++i) {
    diagonal[i - 2] += penalty;
    diagonal[i - 1] += 4 * penalty;
    diagonal[i] += penalty;
    first[i - 1] -= 2 * penalty;
    first[i] -= 2 * penalty;
    second[i] += penalty;
  }
  std::vector<double> solved(values.begin(), values.end());
  for (std::size_t i = 0; i < n; ++i) {
    // Of the matrix; where these are kept goes the factor.
    const double two_left = second[i];
    double left = first[i];
    if (i >= 2) {
      left -= two_left * first[i - 1];
      second[i] = two_left / diagonal[i - 2];
      diagonal[i] -= two_left * second[i];
      solved[i] -= second[i] * solved[i - 2];
    }
    if (i >= 1) {
      first[i] = left / diagonal[i - 1];
      diagonal[i] -= left * first[i];
      solved[i] -= first[i] * solved[i - 1];
    }
  }
  for (std::size_t i = n; i > 0; --i) {
    double& value = solved[i - 1];
    value /= diagonal[i - 1];
    if (i < n) value -= first[i] * solved[i];
    if (i + 1 < n) value -= second[i + 1] * solved[i + 1];
  }
  return solved;
}

}  // namespace

// The penalty is that which leaves half of a cycle of the period: gain 1 / (1 + penalty w^4) with
// w = 2 sin(pi / period). The usual 1,600 is a period of 39.7 points.
Result<std::vector<double>> FilterHodrickPrescott(const FilterInput& input) {
  const double w = 2 * std::sin(std::numbers::pi / input.settings.period);
  return SolvedPentadiagonal(input.values, std::pow(w, -4));
}

}  // namespace berth
