#include <cmath>
#include <vector>

#include "base/quantiles.h"
#include "forecast/correlators/builtin.h"
#include "forecast/distance_correlation.h"

namespace berth {
namespace {

// Multiplied by the inverse root of its covariance, which of a single series is a number.
std::vector<double> Standardised(std::span<const double> values) {
  const double mean = Mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
  std::vector<double> standardised(values.begin(), values.end());
  for (double& value : standardised) {
    value = deviation > 0 ? (value - mean) / deviation : 0;
  }
  return standardised;
}

}  // namespace

std::optional<double> CorrelateDistanceAffine(std::span<const double> x,
                                              std::span<const double> y) {
  return DistanceCorrelation(Standardised(x), Standardised(y));
}

}  // namespace berth
