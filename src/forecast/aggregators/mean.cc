#include <algorithm>

#include "base/quantiles.h"
#include "forecast/aggregators/builtin.h"

namespace berth {

double MeanOf(std::span<const double> values, const AggregatorSettings& /*settings*/) {
  // A rounding may put the average of equal values beside them.
  const auto [least, most] = std::ranges::minmax(values);
  return std::clamp(Mean(values), least, most);
}

}  // namespace berth
