#include "oversub/observed_usage.h"

#include <algorithm>

#include "oversub/tenant_amounts.h"

namespace berth {

void ObservedUsage::Note(std::uint64_t key, const Resources& usage, Time at) {
  Seen& seen = seen_.try_emplace(key, Seen{{}, {}, at}).first->second;
  const Demand demand = UsageDemand(usage);
  const bool latest = at >= seen.at;
  for (const DemandResource r : kAllDemandResources) {
    if (usage[ToResource(r)] < 0) continue;
    seen.peak[r] = std::max(seen.peak[r], demand[r]);
    if (latest) seen.last[r] = demand[r];
  }
  seen.at = std::max(seen.at, at);
}

const ObservedUsage::Seen* ObservedUsage::Find(std::uint64_t key) const {
  const auto found = seen_.find(key);
  return found == seen_.end() ? nullptr : &found->second;
}

}  // namespace berth
