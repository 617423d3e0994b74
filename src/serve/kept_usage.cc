#include "serve/kept_usage.h"

#include <algorithm>

namespace berth {

bool IsStillThere(const Inventory& fleet, const InstanceId& id, const SeenUsage& seen) {
  const Instance* instance = fleet.Find(id);
  return instance != nullptr && instance->timeline.created == seen.created &&
         instance->state != InstanceState::kEnded;
}

Result<UsageInRecords> UsageOfInstances(const UsageRecords& records, const Inventory& fleet) {
  UsageInRecords found;
  BERTH_RETURN_IF_ERROR(records.ForEach([&](const InstanceId& id, const SeenUsage& seen) {
    if (!IsStillThere(fleet, id, seen)) return;
    const Instance& instance = *fleet.Find(id);
    InstanceUsage usage{.now = instance.limit, .peak = instance.limit};
    for (const Resource r : kAllResources) {
      const auto& amount = seen.of[static_cast<std::size_t>(r)];
      if (!amount) continue;
      usage.now[r] = amount->last;
      usage.peak[r] = amount->peak;
      found.latest = std::max(found.latest, amount->at);
    }
    found.usage.emplace(id, usage);
  }));
  return found;
}

}  // namespace berth
