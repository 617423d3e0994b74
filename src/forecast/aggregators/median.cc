#include <algorithm>
#include <vector>

#include "forecast/aggregators/builtin.h"

namespace berth {

double MedianOf(std::span<const double> values, const AggregatorSettings& /*settings*/) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
}

}  // namespace berth
