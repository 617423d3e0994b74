#include "serve/kept_usage.h"

#include <algorithm>

#include "serve/usage_metrics.h"

namespace berth {

UsageInSamples UsageOfInstances(const Samples& samples, const Inventory& fleet) {
  UsageInSamples found;
  ForEachUsage(samples, fleet, [&](const Instance& instance, const KeptUsage& kept) {
    InstanceUsage usage{.now = kept.now, .peak = kept.peak};
    for (const Resource r : kAllResources) {
      if (kept.now[r] >= 0) continue;
      usage.now[r] = instance.limit[r];
      usage.peak[r] = instance.limit[r];
    }
    found.usage.emplace(instance.id, usage);
    found.latest = std::max(found.latest, kept.at);
  });
  return found;
}

}  // namespace berth
