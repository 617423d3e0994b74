#include "forecast/growth.h"

#include <algorithm>
#include <cmath>

namespace berth {
namespace {

constexpr double kGrownMax = 1.5;
constexpr double kRateWithin = 1e-5;  // A tenth within 10,000 steps.

// Of what grows fastest, from above; one if that is as near.
double GrowthOf(const std::vector<double>& coefficients, double rate_max) {
  if (GrowsSlowerThan(1 + kRateWithin, coefficients)) return 1;
  double least = 1 + kRateWithin;
  double most = rate_max;
  while (most - least > kRateWithin) {
    const double middle = least + (most - least) / 2;
    (GrowsSlowerThan(middle, coefficients) ? most : least) = middle;
  }
  return most;
}

}  // namespace

bool GrowsSlowerThan(double rate, std::vector<double> c) {
  // Solutions in units that grow at the rate all die out if the recursion is stationary, which the
  // recursion of Durbin and Levinson, run backwards, tells.
  double unit = 1;
  for (double& coefficient : c) coefficient *= unit /= rate;
  std::vector<double> longer;
  while (!c.empty()) {
    const double partial = c.back();
    if (!(std::abs(partial) < 1)) return false;
    c.pop_back();
    longer = c;
    for (std::size_t i = 0; i < c.size(); ++i) {
      c[i] = (longer[i] + partial * longer[c.size() - 1 - i]) / (1 - partial * partial);
    }
  }
  return true;
}

std::vector<double> SharesKept(const std::vector<double>& coefficients, double rate_max,
                               std::size_t steps) {
  std::vector<double> shares(steps, 1);
  const auto grown = [&](double rate) { return std::pow(rate, static_cast<double>(steps)); };
  if (grown(rate_max) <= kGrownMax) return shares;
  const double rate = GrowthOf(coefficients, rate_max);
  double grows = 1;
  for (double& share : shares) share = std::min(1.0, kGrownMax / (grows *= rate));
  return shares;
}

}  // namespace berth
