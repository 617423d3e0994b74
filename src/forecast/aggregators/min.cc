#include <algorithm>

#include "forecast/aggregators/builtin.h"

namespace berth {

double LeastOf(std::span<const double> values, const AggregatorSettings& /*settings*/) {
  return *std::ranges::min_element(values);
}

}  // namespace berth
