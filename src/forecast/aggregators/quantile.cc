#include "base/quantiles.h"
#include "forecast/aggregators/builtin.h"

namespace berth {

double QuantileOf(std::span<const double> values, const AggregatorSettings& settings) {
  return Quantile({values.begin(), values.end()}, settings.quantile);
}

}  // namespace berth
