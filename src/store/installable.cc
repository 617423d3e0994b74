#include "store/installable.h"

#include <fmt/format.h>

#include "fleet/settings.h"

namespace berth {

Status CheckInstallable(const Inventory& inventory, const Update& update) {
  if (!update.record) return {};
  if (const auto* service = std::get_if<Service>(&*update.record)) {
    if (!inventory.IndexOf(service->tenant)) {
      return {Code::kInternal, fmt::format("its tenant {} is missing", service->tenant.str())};
    }
  } else if (const auto* instance = std::get_if<Instance>(&*update.record)) {
    if (!inventory.IndexOfService(instance->id.service)) {
      return {Code::kInternal, "its service is missing"};
    }
    if (instance->HoldsRoom() && !inventory.IndexOf(instance->machine)) {
      return {Code::kInternal, fmt::format("its machine {} is missing", instance->machine.str())};
    }
  } else if (const auto* policy = std::get_if<PolicyText>(&*update.record)) {
    const Result<FleetSettings> parsed = ParseFleetSettings(policy->text);
    if (!parsed.ok()) return parsed.status();
  }
  return {};
}

}  // namespace berth
