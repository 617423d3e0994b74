#include "base/quantiles.h"
#include "forecast/aggregators/builtin.h"

namespace berth {

double MeanOf(std::span<const double> values, const AggregatorSettings& /*settings*/) {
  return Mean(values);
}

}  // namespace berth
