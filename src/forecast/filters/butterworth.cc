#include <algorithm>
#include <cmath>
#include <numbers>

#include "forecast/filters/builtin.h"

namespace berth {
namespace {

// Of second order, by the bilinear transform: y = b0 (x + 2 x' + x'') - a1 y' - a2 y''.
struct LowPass {
  double b0;
  double a1;
  double a2;
};

LowPass LowPassFor(double period) {
  const double k = std::tan(std::numbers::pi / period);
  const double scale = 1 + std::numbers::sqrt2 * k + k * k;
  return {.b0 = k * k / scale,
          .a1 = 2 * (k * k - 1) / scale,
          .a2 = (1 - std::numbers::sqrt2 * k + k * k) / scale};
}

// As if the first value had always been.
void Run(const LowPass& filter, std::span<double> values) {
  const auto [b0, a1, a2] = filter;
  double one_later = (1 - b0) * values.front();
  double two_later = (b0 - a2) * values.front();
  for (double& value : values) {
    const double in = value;
    value = b0 * in + one_later;
    one_later = 2 * b0 * in - a1 * value + two_later;
    two_later = b0 * in - a2 * value;
  }
}

}  // namespace

// Forwards, then backwards, with either end mirrored about itself so that it keeps its course.
Result<std::vector<double>> FilterButterworth(const FilterInput& input) {
  const std::span<const double> values = input.values;
  const std::size_t pad = std::min<std::size_t>(9, values.size() - 1);
  std::vector<double> padded;
  padded.reserve(values.size() + 2 * pad);
  for (std::size_t i = pad; i > 0; --i) padded.push_back(2 * values.front() - values[i]);
  padded.insert(padded.end(), values.begin(), values.end());
  for (std::size_t i = 1; i <= pad; ++i) {
    padded.push_back(2 * values.back() - values[values.size() - 1 - i]);
  }
  const LowPass filter = LowPassFor(input.settings.period);
  for (int pass = 0; pass < 2; ++pass) {
    Run(filter, padded);
    std::ranges::reverse(padded);
  }
  const auto begin = padded.begin() + static_cast<std::ptrdiff_t>(pad);
  return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(values.size()));
}

}  // namespace berth
