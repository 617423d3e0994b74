#include "serve/machine_usage.h"

#include <algorithm>

namespace berth {

void MachineUsage::Note(const Inventory& view, const InstanceId& id, const Resources& usage,
                        Time at) {
  const std::optional<ServiceIndex> service = view.IndexOfService(id.service);
  const KeptInstance* instance = service ? view[*service].Find(id.number) : nullptr;
  if (instance == nullptr) return;
  Seen& seen = seen_[KeyOf(*service, id.number)];
  for (const Resource r : kAllResources) {
    Time& last = seen.at[static_cast<std::size_t>(r)];
    if (usage[r] < 0 || (seen.usage[r] >= 0 && at < last)) continue;
    seen.usage[r] = usage[r];
    last = at;
  }
  const std::optional<MachineIndex> machine = view.IndexOf(instance->machine);
  if (!machine) return;
  touched_.Touch(static_cast<std::uint32_t>(At(*machine)), ++position_, latest_);
}

Resources MachineUsage::On(const Inventory& view, MachineIndex machine) const {
  Resources sum;
  const std::vector<InstanceRef>& instances = view[machine].instances;
  if (instances.empty()) return sum;
  for (const Resource r : kAllResources) sum[r] = -1;
  for (const InstanceRef& ref : instances) {
    const auto entry = seen_.find(KeyOf(ref.service, ref.number));
    const KeptInstance* instance = view[ref.service].Find(ref.number);
    if (entry == seen_.end() || instance == nullptr) continue;
    const Seen& seen = entry->second;
    for (const Resource r : kAllResources) {
      const bool of_another = seen.at[static_cast<std::size_t>(r)] < instance->timeline.created;
      if (seen.usage[r] < 0 || of_another) continue;
      sum[r] = std::max<std::int64_t>(sum[r], 0) + seen.usage[r];
    }
  }
  return sum;
}

}  // namespace berth
