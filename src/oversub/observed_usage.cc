#include "oversub/observed_usage.h"

#include <algorithm>

#include "oversub/tenant_amounts.h"

namespace berth {

void ObservedUsage::Note(std::uint64_t key, Time created, const Resources& usage,
                         const Resources& peak, Time at) {
  Seen& seen = seen_[key];
  if (seen.created != created)
    seen = {.of = {}, .last = {}, .peak = {}, .at = {}, .created = created};
  const Demand last = UsageDemand(usage);
  const Demand most = UsageDemand(peak);
  for (const DemandResource r : kAllDemandResources) {
    if (usage[ToResource(r)] < 0) continue;
    seen.peak[r] = std::max({seen.peak[r], last[r], most[r]});
    if (seen.of[r] && at < seen.at[r]) continue;
    seen.last[r] = last[r];
    seen.at[r] = at;
    seen.of[r] = true;
  }
}

const ObservedUsage::Seen* ObservedUsage::Find(std::uint64_t key, Time created) const {
  const auto found = seen_.find(key);
  return found == seen_.end() || found->second.created != created ? nullptr : &found->second;
}

}  // namespace berth
