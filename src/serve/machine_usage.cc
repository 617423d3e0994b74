#include "serve/machine_usage.h"

#include <algorithm>

namespace berth {

void MachineUsage::Note(const Inventory& view, const InstanceId& id, const Resources& usage,
                        Time at) {
  const std::optional<ServiceIndex> service = view.IndexOfService(id.service);
  const KeptInstance* instance = service ? view[*service].Find(id.number) : nullptr;
  if (instance == nullptr) return;
  const auto [entry, is_new] = seen_.try_emplace(KeyOf(*service, id.number), Seen{usage, at});
  if (!is_new) {
    Seen& seen = entry->second;
    const bool of_another = seen.at < instance->timeline.created;
    for (const Resource r : kAllResources) {
      if (of_another || usage[r] >= 0) seen.usage[r] = usage[r];
    }
    seen.at = of_another ? at : std::max(seen.at, at);
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
    if (entry->second.at < instance->timeline.created) continue;
    for (const Resource r : kAllResources) {
      const std::int64_t usage = entry->second.usage[r];
      if (usage >= 0) sum[r] = std::max<std::int64_t>(sum[r], 0) + usage;
    }
  }
  return sum;
}

}  // namespace berth
