// The reading side of Inventory.
#include <algorithm>

#include "berth/check.h"
#include "fleet/inventory.h"

namespace berth {
std::optional<MachineIndex> Inventory::IndexOf(MachineId name) const {
  return machine_by_name_.Find(
      name.Hash(), [&](MachineIndex index) { return machines_[At(index)].record.name == name; });
}
std::optional<ServiceIndex> Inventory::IndexOfService(std::string_view name) const {
  return service_by_name_.Find(TextHash{}(name), [&](ServiceIndex index) {
    return services_[At(index)].record.name == name;
  });
}
std::optional<TenantIndex> Inventory::IndexOf(TenantId name) const {
  return tenant_by_name_.Find(
      name.Hash(), [&](TenantIndex index) { return tenants_[At(index)].record.name == name; });
}

const MachineState* Inventory::Find(MachineId name) const {
  const auto index = IndexOf(name);
  return index ? &machines_[At(*index)] : nullptr;
}
const ServiceState* Inventory::FindService(std::string_view name) const {
  const auto index = IndexOfService(name);
  return index ? &services_[At(*index)] : nullptr;
}
const TenantState* Inventory::Find(TenantId name) const {
  const auto index = IndexOf(name);
  return index ? &tenants_[At(*index)] : nullptr;
}
const InstanceType* Inventory::Find(TypeId name) const {
  const auto at = types_.find(name);
  return at == types_.end() ? nullptr : &at->second;
}
std::vector<const InstanceType*> Inventory::TypesByName() const {
  std::vector<const InstanceType*> types;
  for (const auto& [name, type] : types_) types.push_back(&type);
  std::ranges::sort(types, {}, &InstanceType::name);
  return types;
}
const Instance* Inventory::Find(const InstanceId& id) const {
  const ServiceState* service = FindService(id.service);
  return service == nullptr ? nullptr : service->Find(id.number);
}

bool Inventory::IsEvictable(const Service& service) const {
  const ServiceClass* klass = settings_.FindClass(service.klass);
  return klass != nullptr && klass->evictable && !service.yield_whole;
}

std::optional<Record> Inventory::Get(const RecordKey& key) const {
  const auto copy = [](const auto* found) -> std::optional<Record> {
    if (found == nullptr) return std::nullopt;
    return Record(*found);
  };
  switch (key.kind) {
    case RecordKind::kTenant: {
      const TenantState* tenant = Find(TenantId(key.name));
      return copy(tenant == nullptr ? nullptr : &tenant->record);
    }
    case RecordKind::kType:
      return copy(Find(TypeId(key.name)));
    case RecordKind::kMachine: {
      const MachineState* machine = Find(MachineId(key.name));
      return copy(machine == nullptr ? nullptr : &machine->record);
    }
    case RecordKind::kService: {
      const ServiceState* service = FindService(key.name);
      return copy(service == nullptr ? nullptr : &service->record);
    }
    case RecordKind::kInstance:
      return copy(Find(InstanceId{key.name, static_cast<std::uint32_t>(key.number)}));
    case RecordKind::kPolicy:
      return copy(policy_.text.empty() ? nullptr : &policy_);
    case RecordKind::kLease: {
      const auto at = leases_.find(key.name);
      return copy(at == leases_.end() ? nullptr : &at->second);
    }
    case RecordKind::kIdempotency: {
      const auto at = idempotency_.find(key.name);
      return copy(at == idempotency_.end() ? nullptr : &at->second);
    }
    case RecordKind::kDecision:
      return std::nullopt;
  }
  return std::nullopt;
}

bool Inventory::Has(const RecordKey& key) const {
  switch (key.kind) {
    case RecordKind::kTenant:
      return Find(TenantId(key.name)) != nullptr;
    case RecordKind::kType:
      return Find(TypeId(key.name)) != nullptr;
    case RecordKind::kMachine:
      return Find(MachineId(key.name)) != nullptr;
    case RecordKind::kService:
      return FindService(key.name) != nullptr;
    case RecordKind::kInstance:
      return Find(InstanceId{key.name, static_cast<std::uint32_t>(key.number)}) != nullptr;
    case RecordKind::kPolicy:
      return !policy_.text.empty();
    case RecordKind::kLease:
      return leases_.contains(key.name);
    case RecordKind::kIdempotency:
      return idempotency_.contains(key.name);
    case RecordKind::kDecision:
      return false;
  }
  return false;
}

Revision Inventory::OwnRevision(const RecordKey& key) const {
  switch (key.kind) {
    case RecordKind::kTenant: {
      const TenantState* tenant = Find(TenantId(key.name));
      return tenant == nullptr ? Revision{} : tenant->own_revision;
    }
    case RecordKind::kMachine: {
      const MachineState* machine = Find(MachineId(key.name));
      return machine == nullptr ? Revision{} : machine->own_revision;
    }
    case RecordKind::kService: {
      const ServiceState* service = FindService(key.name);
      return service == nullptr ? Revision{} : service->own_revision;
    }
    case RecordKind::kInstance: {
      const ServiceState* service = FindService(key.name);
      if (service == nullptr) return Revision{};
      const KeptInstance* instance = service->Find(static_cast<std::uint32_t>(key.number));
      return instance == nullptr ? Revision{} : instance->revision;
    }
    case RecordKind::kPolicy:
      return policy_revision_;
    case RecordKind::kType:
    case RecordKind::kLease:
    case RecordKind::kIdempotency:
    case RecordKind::kDecision:
      break;
  }
  const auto at = small_revisions_.find(key);
  return at == small_revisions_.end() ? Revision{} : at->second;
}

Revision Inventory::RevisionOf(const RecordKey& key) const {
  if (key.kind == RecordKind::kMachine) {
    const MachineState* machine = Find(MachineId(key.name));
    return machine == nullptr ? Revision{} : machine->revision;
  }
  if (key.kind == RecordKind::kService) {
    const ServiceState* service = FindService(key.name);
    return service == nullptr ? Revision{} : service->revision;
  }
  return OwnRevision(key);
}

std::vector<Update> Inventory::AllRecords() const {
  std::vector<Update> all;
  const auto add = [&](const Record& record) {
    const RecordKey key = KeyOf(record);
    all.push_back({.key = key, .record = record, .revision = OwnRevision(key)});
  };
  if (!policy_.text.empty()) add(policy_);
  std::vector<TypeId> types;
  for (const auto& [name, type] : types_) types.push_back(name);
  std::ranges::sort(types);
  for (const TypeId type : types) add(types_.at(type));
  for (const TenantState& tenant : tenants_) {
    if (!tenant.record.name.empty()) add(tenant.record);
  }
  for (const MachineState& machine : machines_) {
    if (!machine.vacant()) add(machine.record);
  }
  for (const ServiceState& service : services_) {
    if (service.vacant()) continue;
    add(service.record);
    for (const Instance& instance : service.instances) add(instance);
  }
  for (const auto& [name, lease] : leases_) add(lease);
  for (const auto& [key, answered] : idempotency_) add(answered);
  return all;
}

}  // namespace berth
