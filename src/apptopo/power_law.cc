#include "apptopo/power_law.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "berth/check.h"

namespace berth {
namespace {

// Golden-section search: the likelihood is concave.
template <typename Function>
double Maximum(Function function, double low, double high) {
  const double golden = 1 / std::numbers::phi;
  double left = high - golden * (high - low);
  double right = low + golden * (high - low);
  double at_left = function(left);
  double at_right = function(right);
  for (int i = 0; i < 80; ++i) {
    if (at_left < at_right) {
      low = left;
      left = right;
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = function(right);
    } else {
      high = right;
      right = left;
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = function(left);
    }
  }
  return (low + high) / 2;
}

double DistanceFrom(double alpha, const std::map<std::size_t, std::size_t>& counts, double n) {
  const std::size_t smallest = counts.begin()->first;
  const double all = HurwitzZeta(alpha, static_cast<double>(smallest));
  double distance = 0;
  double foreseen = 0;
  double seen = 0;
  for (std::size_t d = smallest; d <= counts.rbegin()->first; ++d) {
    foreseen += std::pow(static_cast<double>(d), -alpha) / all;
    if (const auto at = counts.find(d); at != counts.end()) {
      seen += static_cast<double>(at->second) / n;
    }
    distance = std::max(distance, std::abs(foreseen - seen));
  }
  return distance;
}

}  // namespace

double HurwitzZeta(double alpha, double from) {
  // The first terms as they are, the rest by Euler and Maclaurin.
  constexpr int kTerms = 20;
  double sum = 0;
  for (int i = 0; i < kTerms; ++i) sum += std::pow(from + i, -alpha);
  const double x = from + kTerms;
  const double at_x = std::pow(x, -alpha);
  return sum + x * at_x / (alpha - 1) + at_x / 2 + alpha * at_x / (12 * x) -
         alpha * (alpha + 1) * (alpha + 2) * at_x / (720 * x * x * x);
}

double KolmogorovUpperTail(double lambda) {
  if (lambda <= 0) return 1;
  constexpr int kTerms = 100;
  constexpr double kPi = std::numbers::pi;
  if (lambda < 1) {  // Of the two series of this function the one that converges fast here.
    double sum = 0;
    for (int k = 1; k <= kTerms; ++k) {
      const double odd = 2 * k - 1;
      sum += std::exp(-odd * odd * kPi * kPi / (8 * lambda * lambda));
    }
    return std::clamp(1 - std::sqrt(2 * kPi) / lambda * sum, 0.0, 1.0);
  }
  double sum = 0;
  for (int k = 1; k <= kTerms; ++k) {
    sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * lambda * lambda);
  }
  return std::clamp(sum, 0.0, 1.0);
}

PowerLawFit FitPowerLaw(std::span<const std::size_t> samples) {
  BERTH_CHECK(!samples.empty());
  std::map<std::size_t, std::size_t> counts;
  double logs = 0;
  for (const std::size_t sample : samples) {
    BERTH_CHECK(sample >= 1);
    ++counts[sample];
    logs += std::log(static_cast<double>(sample));
  }
  const auto n = static_cast<double>(samples.size());
  const auto smallest = static_cast<double>(counts.begin()->first);
  PowerLawFit fit;
  fit.alpha = Maximum(
      [&](double alpha) { return -n * std::log(HurwitzZeta(alpha, smallest)) - alpha * logs; },
      kPowerLawAlphaMin, kPowerLawAlphaMax);
  constexpr double kAtABound = 1e-3;
  fit.inside =
      fit.alpha > kPowerLawAlphaMin + kAtABound && fit.alpha < kPowerLawAlphaMax - kAtABound;
  fit.distance = DistanceFrom(fit.alpha, counts, n);
  fit.p = KolmogorovUpperTail(std::sqrt(n) * fit.distance);
  return fit;
}

}  // namespace berth
