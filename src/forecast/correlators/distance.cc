#include "forecast/correlators/builtin.h"
#include "forecast/distance_correlation.h"

namespace berth {

std::optional<double> CorrelateDistance(std::span<const double> x, std::span<const double> y) {
  return DistanceCorrelation(x, y);
}

}  // namespace berth
