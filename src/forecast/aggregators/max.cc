#include <algorithm>

#include "forecast/aggregators/builtin.h"

namespace berth {

double MostOf(std::span<const double> values, const AggregatorSettings& /*settings*/) {
  return *std::ranges::max_element(values);
}

}  // namespace berth
