#include "fleet/inventory.h"

#include <algorithm>
#include <tuple>

#include "berth/check.h"

namespace berth {
namespace {

std::string ClusterPath(const Machine& machine) {
  return machine.datacenter.str() + "/" + machine.cluster.str();
}

std::string RackPath(const Machine& machine) {
  return ClusterPath(machine) + "/" + machine.row.str() + "/" + machine.rack.str();
}

// Where a machine stands in its cluster's list.
auto PlaceInCluster(const Machine& machine) {
  return std::tuple(machine.row, machine.rack, machine.name);
}

bool SamePlace(const Machine& a, const Machine& b) {
  return a.datacenter == b.datacenter && a.cluster == b.cluster && a.row == b.row &&
         a.rack == b.rack;
}

// A slot for a new element: a vacant one if there is one.
template <typename Index, typename Slots>
Index TakeSlot(std::vector<Index>& vacant, Slots& slots) {
  if (!vacant.empty()) {
    const Index index = vacant.back();
    vacant.pop_back();
    return index;
  }
  // Doubling would leave up to half of the largest tables empty.
  if (slots.size() == slots.capacity()) slots.reserve(slots.size() + slots.size() / 16 + 16);
  slots.emplace_back();
  return Index{static_cast<std::uint32_t>(slots.size() - 1)};
}

// Null: it is gone.
template <typename T, typename Given>
auto RecordOf(Given& update) {
  return update.record ? &std::get<T>(*update.record) : nullptr;
}

// Where the instance of that number is or would be.
std::size_t Position(const std::vector<KeptInstance>& instances, std::uint32_t number) {
  const auto at = std::ranges::lower_bound(instances, number, {},
                                           [](const Instance& i) { return i.id.number; });
  return static_cast<std::size_t>(at - instances.begin());
}

}  // namespace

const KeptInstance* ServiceState::Find(std::uint32_t number) const {
  const std::size_t at = Position(instances, number);
  return at < instances.size() && instances[at].id.number == number ? &instances[at] : nullptr;
}

Inventory::Inventory() : settings_(DefaultFleetSettings()) {}

void Inventory::Apply(const Committed& committed) {
  for (const Update& update : committed.updates) Install(update);
  revision_ = committed.revision;
}

void Inventory::Install(const Update& update) { InstallGiven(update); }
void Inventory::Install(Update&& update) { InstallGiven(update); }

template <typename Given>
void Inventory::InstallGiven(Given& update) {
  const RecordKey& key = update.key;
  switch (key.kind) {
    case RecordKind::kTenant:
      return InstallTenant(TenantId(key.name), RecordOf<Tenant>(update), update.revision);
    case RecordKind::kMachine:
      return InstallMachine(MachineId(key.name), RecordOf<Machine>(update), update.revision);
    case RecordKind::kService:
      return InstallService(key.name, RecordOf<Service>(update), update.revision);
    case RecordKind::kInstance:
      return InstallInstance(key.name, static_cast<std::uint32_t>(key.number),
                             RecordOf<Instance>(update), update.revision);
    case RecordKind::kPolicy:
      return InstallPolicy(RecordOf<PolicyText>(update), update.revision);
    case RecordKind::kDecision: {
      std::uint64_t& last = decisions_[key.name];
      last = std::max(last, key.number);
      return;
    }
    case RecordKind::kType:
    case RecordKind::kLease:
    case RecordKind::kIdempotency:
      return InstallSmall(update);
  }
}

void Inventory::InstallSmall(const Update& update) {
  const RecordKey& key = update.key;
  if (!update.record) {
    if (key.kind == RecordKind::kType) types_.erase(TypeId(key.name));
    if (key.kind == RecordKind::kLease) leases_.erase(key.name);
    if (key.kind == RecordKind::kIdempotency) idempotency_.erase(key.name);
    small_revisions_.erase(key);
    return;
  }
  if (const auto* type = std::get_if<InstanceType>(&*update.record)) types_[type->name] = *type;
  if (const auto* lease = std::get_if<Lease>(&*update.record)) leases_[lease->name] = *lease;
  if (const auto* answered = std::get_if<Idempotency>(&*update.record)) {
    idempotency_[answered->key] = *answered;
  }
  small_revisions_[key] = update.revision;
}

void Inventory::InstallPolicy(const PolicyText* record, Revision revision) {
  policy_ = record != nullptr ? *record : PolicyText();
  policy_revision_ = revision;
  Result<FleetSettings> parsed =
      record != nullptr ? ParseFleetSettings(record->text) : Result(DefaultFleetSettings());
  BERTH_CHECK(parsed.ok());  // The validator parsed it before it was committed.
  settings_ = std::move(parsed).value();
  for (std::size_t i = 0; i < machines_.size(); ++i) {
    MachineState& machine = machines_[i];
    if (machine.vacant()) continue;
    machine.usable = settings_.Usable(machine.record.capacity);
    CountEvictable(machine);
    journal_.Touch(MachineIndex{static_cast<std::uint32_t>(i)}, machine.cluster);
  }
}

void Inventory::CountEvictable(MachineState& machine) const {
  machine.occupancy.evictable =
      static_cast<std::uint32_t>(std::ranges::count_if(machine.instances, [&](InstanceRef ref) {
        return IsEvictable(services_[At(ref.service)].record);
      }));
}

void Inventory::InstallTenant(TenantId name, const Tenant* record, Revision revision) {
  const std::optional<TenantIndex> known = IndexOf(name);
  if (record == nullptr) {
    if (known) RemoveTenant(*known, revision);
    return;
  }
  const TenantIndex index = known ? *known : TakeSlot(vacant_tenants_, tenants_);
  tenants_[At(index)].record = *record;
  tenants_[At(index)].own_revision = revision;
  if (!known) tenant_by_name_.Insert(name.Hash(), index);
}

void Inventory::RemoveTenant(TenantIndex index, Revision revision) {
  // Only a view's own tentative services can still be here: the store removes no tenant in use.
  for (std::size_t i = 0; tenants_[At(index)].services > 0 && i < services_.size(); ++i) {
    if (services_[i].vacant() || services_[i].tenant != index) continue;
    RemoveService(ServiceIndex{static_cast<std::uint32_t>(i)}, revision);
  }
  tenant_by_name_.Erase(tenants_[At(index)].record.name.Hash(), index);
  tenants_[At(index)] = TenantState();
  vacant_tenants_.push_back(index);
}

void Inventory::InstallMachine(MachineId name, const Machine* record, Revision revision) {
  const std::optional<MachineIndex> known = IndexOf(name);
  if (record == nullptr) {
    if (known) RemoveMachine(*known);
    return;
  }
  const MachineIndex index = known ? *known : TakeSlot(vacant_machines_, machines_);
  MachineState& machine = machines_[At(index)];
  const bool stays = known && SamePlace(machine.record, *record);
  if (known && !stays) LeaveCluster(index);
  if (stays) TakeCapacity(machine, /*sign=*/-1);
  machine.record = *record;
  machine.usable = settings_.Usable(record->capacity);
  machine.own_revision = revision;
  machine.revision = std::max(machine.revision, revision);
  if (!known) machine_by_name_.Insert(name.Hash(), index);
  if (stays) {
    TakeCapacity(machine, /*sign=*/1);
    clusters_[At(machine.cluster)].sku = record->sku;
  } else {
    JoinCluster(index);
  }
  journal_.Touch(index, machine.cluster);
}

void Inventory::RemoveMachine(MachineIndex index) {
  // Only an agent's own tentative placements can still be here: the store removes no machine in
  // use.
  for (const InstanceRef ref : std::vector(machines_[At(index)].instances)) {
    const Instance* const gone = nullptr;
    InstallInstance(services_[At(ref.service)].record.name, ref.number, gone, revision_);
  }
  LeaveCluster(index);
  machine_by_name_.Erase(machines_[At(index)].record.name.Hash(), index);
  machines_[At(index)] = MachineState();
  vacant_machines_.push_back(index);
}

void Inventory::JoinCluster(MachineIndex index) {
  MachineState& machine = machines_[At(index)];
  const auto [cluster, new_cluster] = cluster_by_path_.try_emplace(
      ClusterPath(machine.record), ClusterIndex{static_cast<std::uint32_t>(clusters_.size())});
  if (new_cluster) clusters_.emplace_back();
  const auto [rack, new_rack] = rack_by_path_.try_emplace(
      RackPath(machine.record), RackIndex{static_cast<std::uint32_t>(racks_.size())});
  if (new_rack) racks_.emplace_back().path = rack->first;

  machine.cluster = cluster->second;
  machine.rack = rack->second;
  ++racks_[At(machine.rack)].machines;
  ClusterState& state = clusters_[At(machine.cluster)];
  state.datacenter = machine.record.datacenter;
  state.name = machine.record.cluster;
  state.sku = machine.record.sku;  // The newcomer's: a whole cluster may change its SKU at once.
  const auto place = [&](MachineIndex m) { return PlaceInCluster(machines_[At(m)].record); };
  state.machines.insert(
      std::ranges::upper_bound(state.machines, PlaceInCluster(machine.record), {}, place), index);
  state.shape = ++shapes_;
  TakeCapacity(machine, /*sign=*/1);
  state.allocated += machine.allocated;
  racks_[At(machine.rack)].allocated += machine.allocated;
}

void Inventory::LeaveCluster(MachineIndex index) {
  const MachineState& machine = machines_[At(index)];
  --racks_[At(machine.rack)].machines;
  ClusterState& state = clusters_[At(machine.cluster)];
  std::erase(state.machines, index);
  state.shape = ++shapes_;
  TakeCapacity(machine, /*sign=*/-1);
  state.allocated -= machine.allocated;
  racks_[At(machine.rack)].allocated -= machine.allocated;
  journal_.Leave(index, machine.cluster);
}

void Inventory::TakeCapacity(const MachineState& machine, int sign) {
  for (ResourceTotals* sum :
       {&clusters_[At(machine.cluster)].capacity, &racks_[At(machine.rack)].capacity}) {
    if (sign > 0) {
      *sum += machine.record.capacity;
    } else {
      *sum -= machine.record.capacity;
    }
  }
}

template <typename Given>
void Inventory::InstallService(const std::string& name, Given* record, Revision revision) {
  const std::optional<ServiceIndex> known = IndexOfService(name);
  if (record == nullptr) {
    if (known) RemoveService(*known, revision);
    return;
  }
  const ServiceIndex index = known ? *known : TakeSlot(vacant_services_, services_);
  if (known && services_[At(index)].record == *record) {  // Only confirmed.
    services_[At(index)].own_revision = revision;
    services_[At(index)].revision = std::max(services_[At(index)].revision, revision);
    return;
  }
  // Isolation and tenant are read from the record when instances are counted, so take them out
  // under the old record and put them back under the new one.
  std::vector<KeptInstance> instances;
  if (known) {
    instances = services_[At(index)].instances;
    for (const Instance& instance : instances) Uncount(index, instance, revision);
    --tenants_[At(services_[At(index)].tenant)].services;
  }
  ServiceState& service = services_[At(index)];
  const std::optional<TenantIndex> tenant = IndexOf(record->tenant);
  BERTH_CHECK(tenant.has_value());
  service.record = std::move(*record);
  service.tenant = *tenant;
  service.own_revision = revision;
  service.revision = std::max(service.revision, revision);
  ++tenants_[At(*tenant)].services;
  if (!known) service_by_name_.Insert(TextHash{}(name), index);
  for (const Instance& instance : instances) Count(index, instance, revision);
}

void Inventory::RemoveService(ServiceIndex index, Revision revision) {
  ServiceState& service = services_[At(index)];
  for (const Instance& instance : service.instances) Uncount(index, instance, revision);
  --tenants_[At(service.tenant)].services;
  service_by_name_.Erase(TextHash{}(service.record.name), index);
  service = ServiceState();
  vacant_services_.push_back(index);
}

template <typename Given>
void Inventory::InstallInstance(std::string_view of_service, std::uint32_t number, Given* record,
                                Revision revision) {
  const std::optional<ServiceIndex> index = IndexOfService(of_service);
  if (!index) {
    BERTH_CHECK(record == nullptr);
    return;
  }
  ServiceState& service = services_[At(*index)];
  const std::size_t at = Position(service.instances, number);
  const auto offset = static_cast<std::ptrdiff_t>(at);
  const bool known = at < service.instances.size() && service.instances[at].id.number == number;
  service.revision = std::max(service.revision, revision);
  if (known && record != nullptr && service.instances[at] == *record) {  // Only confirmed.
    service.instances[at].revision = revision;
    if (record->HoldsRoom()) TouchMachine(record->machine, revision);
    return;
  }
  if (known) Uncount(*index, service.instances[at], revision);
  if (record == nullptr) {
    if (known) service.instances.erase(service.instances.begin() + offset);
  } else {
    KeptInstance kept{std::move(*record), revision};
    if (known) {
      service.instances[at] = std::move(kept);
    } else {
      service.instances.insert(service.instances.begin() + offset, std::move(kept));
    }
    Count(*index, service.instances[at], revision);
  }
}

void Inventory::Count(ServiceIndex index, const Instance& instance, Revision revision) {
  const ServiceState& service = services_[At(index)];
  if (instance.state != InstanceState::kEnded) tenants_[At(service.tenant)].used += instance.limit;
  if (!instance.HoldsRoom()) return;
  const std::optional<MachineIndex> on = IndexOf(instance.machine);
  BERTH_CHECK(on.has_value());
  MachineState& machine = machines_[At(*on)];
  machine.allocated += instance.limit;
  machine.revision = std::max(machine.revision, revision);
  machine.instances.push_back(
      {.service = index, .number = instance.id.number, .arrival = ++arrivals_});
  clusters_[At(machine.cluster)].allocated += instance.limit;
  racks_[At(machine.rack)].allocated += instance.limit;
  if (service.record.constraints.isolate) ++machine.occupancy.isolating;
  if (IsEvictable(service.record)) ++machine.occupancy.evictable;
  auto& tenants = machine.occupancy.tenants;
  const auto at =
      std::ranges::find(tenants, service.tenant, &std::pair<TenantIndex, std::uint32_t>::first);
  if (at == tenants.end()) {
    tenants.emplace_back(service.tenant, 1);
  } else {
    ++at->second;
  }
  journal_.Touch(*on, machine.cluster);
}

void Inventory::Uncount(ServiceIndex index, const Instance& instance, Revision revision) {
  const ServiceState& service = services_[At(index)];
  if (instance.state != InstanceState::kEnded) tenants_[At(service.tenant)].used -= instance.limit;
  if (!instance.HoldsRoom()) return;
  const std::optional<MachineIndex> on = IndexOf(instance.machine);
  BERTH_CHECK(on.has_value());
  MachineState& machine = machines_[At(*on)];
  machine.allocated -= instance.limit;
  machine.revision = std::max(machine.revision, revision);
  std::erase_if(machine.instances, [&](InstanceRef ref) {
    return ref.service == index && ref.number == instance.id.number;
  });
  clusters_[At(machine.cluster)].allocated -= instance.limit;
  racks_[At(machine.rack)].allocated -= instance.limit;
  if (service.record.constraints.isolate) --machine.occupancy.isolating;
  if (IsEvictable(service.record)) --machine.occupancy.evictable;
  auto& tenants = machine.occupancy.tenants;
  const auto at =
      std::ranges::find(tenants, service.tenant, &std::pair<TenantIndex, std::uint32_t>::first);
  BERTH_CHECK(at != tenants.end());
  if (--at->second == 0) tenants.erase(at);
  journal_.Touch(*on, machine.cluster);
}

void Inventory::TouchMachine(MachineId name, Revision revision) {
  if (const auto index = IndexOf(name)) {
    Revision& last = machines_[At(*index)].revision;
    last = std::max(last, revision);
  }
}

}  // namespace berth
