#include "forecast/filters/builtin.h"
#include "forecast/smoothed.h"

namespace berth {

Result<std::vector<double>> SmoothTrend(const FilterInput& input) {
  return SmoothedBy({.trend = EtsTrend::kAdditive}, input.values, 0);
}

}  // namespace berth
