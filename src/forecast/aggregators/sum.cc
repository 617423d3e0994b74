#include <numeric>

#include "forecast/aggregators/builtin.h"

namespace berth {

double SumOf(std::span<const double> values, const AggregatorSettings& /*settings*/) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace berth
