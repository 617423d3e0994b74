#include "serve/told_usage.h"

#include <algorithm>

#include "serve/usage_metrics.h"

namespace berth {

void ToldUsage::Add(const Instance& instance, Resource resource,
                    std::span<const UsagePoint> points) {
  const UsagePoint* latest = nullptr;
  double most = 0;
  for (const UsagePoint& point : points) {
    if (point.at < instance.timeline.created) continue;
    if (latest == nullptr || point.at >= latest->at) latest = &point;
    most = std::max(most, point.value);
  }
  if (latest == nullptr) return;
  Told& told = told_[{instance.id, latest->at}];
  told.latest[resource] = WholeAmount(latest->value);
  told.most[resource] = std::max(told.most[resource], WholeAmount(most));
}

}  // namespace berth
