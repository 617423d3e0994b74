#include "serve/usage_metrics.h"

#include <algorithm>
#include <cmath>

namespace berth {
std::optional<Resource> ResourceOfMetric(std::string_view metric) {
  const auto at = std::ranges::find(kUsageMetrics, metric);
  if (at == kUsageMetrics.end()) return std::nullopt;
  return kAllResources[static_cast<std::size_t>(at - kUsageMetrics.begin())];
}

std::int64_t WholeAmount(double value) {
  if (!(value > 0)) return 0;
  return static_cast<std::int64_t>(std::min(std::ceil(value), static_cast<double>(kAmountMax)));
}

}  // namespace berth
