#include <cmath>
#include <numbers>

#include "forecast/filters/builtin.h"

namespace berth {
namespace {

// Of the ideal filter that keeps cycles of 2 points to the period: what a point that far away
// counts for.
std::vector<double> IdealWeights(double period, std::size_t count) {
  const double slowest = 2 * std::numbers::pi / period;
  std::vector<double> weights = {1 - 2 / period};
  weights.reserve(count);
  for (std::size_t j = 1; j < count; ++j) {
    const auto distance = static_cast<double>(j);
    // The sine of pi times a whole number is zero.
    weights.push_back(-std::sin(slowest * distance) / (std::numbers::pi * distance));
  }
  return weights;
}

}  // namespace

// The short cycles of a random walk (Christiano and Fitzgerald 2003), taken off: what is before the
// first point and after the last is expected to be as they are, so they take all weight of it.
Result<std::vector<double>> FilterChristianoFitzgerald(const FilterInput& input) {
  const std::span<const double> values = input.values;
  const std::size_t n = values.size();
  const std::vector<double> weights = IdealWeights(input.settings.period, n);
  const double drift = (values.back() - values.front()) / static_cast<double>(n - 1);
  const auto level = [&](std::size_t i) { return values[i] - drift * static_cast<double>(i); };
  std::vector<double> kept;
  kept.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    double cycle = weights[0] * level(i);
    double before = -weights[0] / 2;
    double after = -weights[0] / 2;
    for (std::size_t j = 1; j < i; ++j) {
      cycle += weights[j] * level(i - j);
      before -= weights[j];
    }
    for (std::size_t j = 1; i + j + 1 < n; ++j) {
      cycle += weights[j] * level(i + j);
      after -= weights[j];
    }
    cycle += before * level(0) + after * level(n - 1);
    kept.push_back(values[i] - cycle);
  }
  return kept;
}

}  // namespace berth
