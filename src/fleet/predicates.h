// What must hold of a placement. The validator asks these at commit and the rules ask them while
// choosing, so that the two cannot disagree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "fleet/inventory.h"

namespace berth {

// Only a ready machine takes new instances; what runs on it stays until it is moved.
constexpr bool TakesPlacements(Health health) { return health == Health::kReady; }

inline bool HasRoom(const Resources& usable, const Resources& allocated, const Resources& need) {
  return need.FitsIn(usable - allocated);
}

// Both lists are sorted by name.
inline bool HasLabels(const Labels& carried, const Labels& required) {
  return required.empty() || std::ranges::includes(carried, required);
}

inline bool SupportsType(const Machine& machine, const InstanceType& type) {
  const bool sku =
      type.skus.empty() || std::ranges::find(type.skus, machine.sku) != type.skus.end();
  return sku && HasLabels(machine.labels, type.requires_labels);
}

// May an instance of `tenant` join who is there already? Isolation works both ways: an isolating
// service wants no other tenant on its machines, and nobody joins another tenant's isolating one.
inline bool MayJoin(const Occupancy& occupancy, TenantIndex tenant, bool isolate) {
  if (!isolate && occupancy.isolating == 0) return true;
  return std::ranges::all_of(occupancy.tenants,
                             [&](const auto& present) { return present.first == tenant; });
}

inline constexpr std::uint32_t kAnyNumber = UINT32_MAX;

inline std::uint32_t MaxPerMachine(const Constraints& constraints) {
  return constraints.max_per_machine == 0 ? kAnyNumber : constraints.max_per_machine;
}

inline std::uint32_t MaxPerUpdateDomain(const Constraints& constraints) {
  return constraints.max_per_update_domain == 0 ? kAnyNumber : constraints.max_per_update_domain;
}

// The tighter of "at most k per rack" and "over at least r racks", which for n instances is at
// most ceil(n/r) in one rack.
inline std::uint32_t MaxPerRack(const Constraints& constraints, std::uint32_t instances) {
  std::uint32_t most = constraints.max_per_rack == 0 ? kAnyNumber : constraints.max_per_rack;
  if (constraints.spread_racks > 1) {
    const std::uint32_t share =
        (instances + constraints.spread_racks - 1) / constraints.spread_racks;
    most = std::min(most, std::max(share, 1U));
  }
  return most;
}

// Do the two machines stand in the same datacenter, cluster or row?
inline bool SameScope(Scope scope, const MachineState& a, const MachineState& b) {
  switch (scope) {
    case Scope::kZone:
      return true;
    case Scope::kDatacenter:
      return a.record.datacenter == b.record.datacenter;
    case Scope::kCluster:
      return a.cluster == b.cluster;
    case Scope::kRow:
      return a.cluster == b.cluster && a.record.row == b.record.row;
  }
  return false;
}

// The first resource of which a sum has more than the bound; none: all of it fits.
inline std::optional<Resource> FirstOver(const ResourceTotals& sum, const Resources& bound) {
  const auto* at =
      std::ranges::find_if(kAllResources, [&](Resource r) { return sum[r] > bound[r]; });
  return at == kAllResources.end() ? std::nullopt : std::optional(*at);
}

inline bool WithinQuota(const Tenant& tenant, const ResourceTotals& used) {
  return !tenant.quota || !FirstOver(used, *tenant.quota);
}

}  // namespace berth
