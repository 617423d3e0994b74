#include "forecast/correlators/builtin.h"
#include "forecast/distance_correlation.h"

namespace berth {

std::optional<double> CorrelateDistanceUnbiased(std::span<const double> x,
                                                std::span<const double> y) {
  return UnbiasedDistanceCorrelation(x, y);
}

}  // namespace berth
