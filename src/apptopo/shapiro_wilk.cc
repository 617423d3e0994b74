#include "apptopo/shapiro_wilk.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "base/normal.h"
#include "base/quantiles.h"
#include "berth/check.h"

namespace berth {
namespace {

// The constant term first.
double Polynomial(std::initializer_list<double> coefficients, double x) {
  double value = 0;
  double power = 1;
  for (const double coefficient : coefficients) {
    value += coefficient * power;
    power *= x;
  }
  return value;
}

// The weights of the differences between the largest and the smallest, the second largest and the
// second smallest, and so on.
std::vector<double> Weights(std::size_t n) {
  std::vector<double> expected;  // Of the largest values, the largest first.
  double squares = 0;
  for (std::size_t i = 1; i <= n / 2; ++i) {
    expected.push_back(
        -NormalQuantile((static_cast<double>(i) - 0.375) / (static_cast<double>(n) + 0.25)));
    squares += 2 * expected.back() * expected.back();
  }
  const double u = 1 / std::sqrt(static_cast<double>(n));
  const double norm = std::sqrt(squares);
  const double first =
      expected[0] / norm + Polynomial({0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056}, u);
  const double second =
      expected[1] / norm + Polynomial({0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633}, u);
  const double rest =
      std::sqrt((squares - 2 * expected[0] * expected[0] - 2 * expected[1] * expected[1]) /
                (1 - 2 * first * first - 2 * second * second));
  std::vector<double> weights = {first, second};
  for (std::size_t i = 2; i < expected.size(); ++i) weights.push_back(expected[i] / rest);
  return weights;
}

double ProbabilityOf(double w, std::size_t n) {
  if (w >= 1) return 1;
  const auto count = static_cast<double>(n);
  const double y = std::log(1 - w);
  if (n <= 11) {
    const double bound = Polynomial({-2.273, 0.459}, count);
    if (y >= bound) return 0;
    const double mean = Polynomial({0.544, -0.39978, 0.025054, -6.714e-4}, count);
    const double spread = std::exp(Polynomial({1.3822, -0.77857, 0.062767, -0.0020322}, count));
    return NormalUpperTail((-std::log(bound - y) - mean) / spread);
  }
  const double x = std::log(count);
  const double mean = Polynomial({-1.5861, -0.31082, -0.083751, 0.0038915}, x);
  const double spread = std::exp(Polynomial({-0.4803, -0.082676, 0.0030302}, x));
  return NormalUpperTail((y - mean) / spread);
}

}  // namespace

ShapiroWilk TestNormality(std::vector<double> values) {
  const std::size_t n = values.size();
  BERTH_CHECK(n >= kShapiroWilkMin && n <= kShapiroWilkMax);
  std::ranges::sort(values);
  BERTH_CHECK(values.front() < values.back());
  const std::vector<double> weights = Weights(n);
  double weighted = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weighted += weights[i] * (values[n - 1 - i] - values[i]);
  }
  const double mean = Mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  ShapiroWilk result{.w = weighted * weighted / squares};
  result.p = ProbabilityOf(result.w, n);
  return result;
}

}  // namespace berth
