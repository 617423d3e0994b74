#include "oversub/fleet_balance.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include "fleet/predicates.h"
#include "oversub/tenant_amounts.h"

namespace berth {
namespace {

class FleetBalanceBuilder {
 public:
  FleetBalanceBuilder(const Inventory& fleet, const UsageByInstance& usage,
                      const Newcomers& newcomers)
      : fleet_(fleet), usage_(usage), newcomers_(newcomers) {}

  FleetBalance Build() {
    AddMachines();
    for (const ServiceState& service : fleet_.services()) {
      if (!service.vacant()) AddService(service);
    }
    return std::move(balance_);
  }

 private:
  // The part of the zone that a service has to stay in: one for all machines there.
  using PartKey = std::tuple<Scope, DatacenterId, ClusterIndex, RowId>;
  // What decides where an instance may go, apart from room and from its own service.
  using ReachKey = std::tuple<TypeId, Labels, PartKey>;

  static PartKey PartOf(Scope scope, const MachineState& machine) {
    switch (scope) {
      case Scope::kZone:
        break;
      case Scope::kDatacenter:
        return {scope, machine.record.datacenter, ClusterIndex{}, RowId()};
      case Scope::kCluster:
        return {scope, DatacenterId(), machine.cluster, RowId()};
      case Scope::kRow:
        return {scope, DatacenterId(), machine.cluster, machine.record.row};
    }
    return {Scope::kZone, DatacenterId(), ClusterIndex{}, RowId()};
  }

  void AddMachines() {
    std::map<std::string, std::uint32_t> domains;
    place_.assign(fleet_.machines().size(), kNowhere);
    for (std::uint32_t i = 0; i < fleet_.machines().size(); ++i) {
      const MachineState& machine = fleet_.machines()[i];
      if (machine.vacant() || !TakesPlacements(machine.record.health)) continue;
      const auto next = static_cast<std::uint32_t>(domains.size());
      place_[i] = static_cast<std::uint32_t>(balance_.machines.size());
      balance_.machines.push_back(machine.record.name);
      states_.push_back(&machine);
      balance_.problem.machines.push_back(
          {.capacity = CapacityDemand(machine.record.capacity),
           .usable = machine.usable,
           .cluster = static_cast<std::uint32_t>(machine.cluster),
           .rack = static_cast<std::uint32_t>(machine.rack),
           .update_domain =
               domains.try_emplace(machine.record.update_domain.str(), next).first->second});
    }
  }

  void AddService(const ServiceState& service) {
    const Constraints& constraints = service.record.constraints;
    const std::uint32_t in_rack = MaxPerRack(constraints, service.record.InstanceCount());
    const auto number = static_cast<std::uint32_t>(balance_.problem.services.size());
    balance_.problem.services.push_back(
        {.max_per_machine = constraints.max_per_machine,
         .max_per_rack = in_rack == kAnyNumber ? 0 : in_rack,
         .max_per_update_domain = constraints.max_per_update_domain});
    for (const KeptInstance& instance : service.instances) {
      if (!instance.HoldsRoom()) continue;
      const std::uint32_t machine =
          place_[static_cast<std::size_t>(*fleet_.IndexOf(instance.machine))];
      if (machine != kNowhere) AddReplica(service, number, instance, machine);
    }
  }

  void AddReplica(const ServiceState& service, std::uint32_t number, const Instance& instance,
                  std::uint32_t machine) {
    HostedTenant tenant{.key = TenantKeyOf(instance.id.service, instance.id.number),
                        .tenant_class = newcomers_.ClassOf(instance.type),
                        .role = TenantRoleOf(instance.role),
                        .creation = StepOf(instance.timeline.created),
                        .observed_peak = {}};
    const Demand uses = UsageOf(instance, tenant);
    BalanceReplica replica{.service = number,
                           .machine = machine,
                           .pinned = service.record.constraints.isolate,
                           .reach = ReachOf(service, instance, machine),
                           .usage = uses,
                           .limit = instance.limit,
                           .tenant = tenant};
    balance_.replicas.push_back(instance.id);
    balance_.problem.replicas.push_back(replica);
  }

  // Also notes what is known of its greatest usage, or what it was promised.
  Demand UsageOf(const Instance& instance, HostedTenant& tenant) {
    if (const auto seen = usage_.find(instance.id); seen != usage_.end()) {
      const Demand now = UsageDemand(seen->second.now);
      tenant.observed_peak = Greater(UsageDemand(seen->second.peak), now);
      return now;
    }
    ++balance_.not_observed;
    tenant.promised = UsageDemand(instance.limit);
    return newcomers_.InitialUsage(tenant.tenant_class, tenant.role, tenant.promised);
  }

  std::uint32_t ReachOf(const ServiceState& service, const Instance& instance,
                        std::uint32_t machine) {
    const Constraints& constraints = service.record.constraints;
    const ReachKey key(instance.type, constraints.labels,
                       PartOf(constraints.within, *states_[machine]));
    const auto [found, fresh] =
        reaches_.try_emplace(key, static_cast<std::uint32_t>(balance_.problem.reaches.size()));
    if (!fresh) return found->second;
    const InstanceType* type = fleet_.Find(instance.type);
    std::vector<bool> reach(states_.size());
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const MachineState& to = *states_[i];
      reach[i] = (type == nullptr || SupportsType(to.record, *type)) &&
                 HasLabels(to.record.labels, constraints.labels) &&
                 SameScope(constraints.within, *states_[machine], to) &&
                 to.occupancy.isolating == 0;
    }
    balance_.problem.reaches.push_back(std::move(reach));
    return found->second;
  }

  const Inventory& fleet_;
  const UsageByInstance& usage_;
  const Newcomers& newcomers_;
  FleetBalance balance_;
  std::vector<std::uint32_t> place_;         // By the fleet's machines: their number here.
  std::vector<const MachineState*> states_;  // By that number.
  std::map<ReachKey, std::uint32_t> reaches_;
};

}  // namespace

FleetBalance BalanceOf(const Inventory& fleet, const UsageByInstance& usage,
                       const Newcomers& newcomers) {
  return FleetBalanceBuilder(fleet, usage, newcomers).Build();
}

}  // namespace berth
