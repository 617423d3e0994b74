// For tests: a fleet as plain lists of records, and what must hold of it, worked out instance by
// instance without the rules, the validator or the inventory.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "berth/change.h"
#include "berth/records.h"

namespace berth::testing {

class PlainFleet {
 public:
  // Instances of the classes that yield are no obstacle to those of others.
  explicit PlainFleet(std::set<ClassId> yielding = {}) : yielding_(std::move(yielding)) {}

  // The same records, and everybody is an obstacle.
  PlainFleet WithoutYielding() const {
    PlainFleet same = *this;
    same.yielding_.clear();
    return same;
  }

  void Take(const Update& update) {
    const RecordKey& key = update.key;
    if (key.kind == RecordKind::kMachine) Keep(machines_, MachineId(key.name), update);
    if (key.kind == RecordKind::kTenant) Keep(tenants_, TenantId(key.name), update);
    if (key.kind == RecordKind::kType) Keep(types_, TypeId(key.name), update);
    if (key.kind == RecordKind::kService) Keep(services_, key.name, update);
    if (key.kind == RecordKind::kInstance) TakeInstance(update);
    if (key.kind == RecordKind::kService && !update.record) ForgetInstancesOf(key.name);
  }
  void Take(const Record& record) {
    Take(Update{.key = KeyOf(record), .record = record, .revision = {}});
  }
  void Forget(const InstanceId& id) {
    Take(Update{.key = KeyOf(id), .record = std::nullopt, .revision = {}});
  }

  const std::map<MachineId, Machine>& machines() const { return machines_; }
  const std::map<std::string, Service>& services() const { return services_; }
  const std::map<InstanceId, Instance>& instances() const { return instances_; }

  // The machines that may take the instance, whose own present place does not count.
  std::vector<MachineId> Takers(const Service& service, const Instance& wanted) const {
    std::vector<MachineId> takers;
    if (!QuotaAllows(service, wanted)) return takers;
    for (const auto& [name, machine] : machines_) {
      if (MayHost(machine, service, wanted)) takers.push_back(name);
    }
    return takers;
  }

  // One thing that does not hold; empty: all does.
  std::string Broken() const {
    for (const auto& [name, machine] : machines_) {
      if (Used(name, nullptr, nullptr).FitsIn(machine.capacity) && IsolationHolds(name)) continue;
      return fmt::format("machine {} is over its capacity or not isolated", name.str());
    }
    for (const auto& [id, instance] : instances_) {
      if (!instance.HoldsRoom()) continue;
      const auto at = machines_.find(instance.machine);
      if (at == machines_.end() || !Supports(at->second, services_.at(id.service), instance)) {
        return fmt::format("instance {} is on the wrong machine", ToString(id));
      }
    }
    for (const auto& [name, service] : services_) {
      if (!IsWhole(service) || !SpreadHolds(service))
        return fmt::format("service {} is not as it asks to be", name);
    }
    for (const auto& [name, tenant] : tenants_) {
      if (tenant.quota && !UsedBy(name, nullptr).FitsIn(*tenant.quota))
        return fmt::format("tenant {} is over its quota", name.str());
    }
    return {};
  }

  bool Yields(const Service& service) const {
    return yielding_.contains(service.klass) && !service.yield_whole;
  }

 private:
  template <typename Key, typename T>
  static void Keep(std::map<Key, T>& records, const Key& key, const Update& update) {
    if (update.record) {
      records[key] = std::get<T>(*update.record);
    } else {
      records.erase(key);
    }
  }

  void TakeInstance(const Update& update) {
    const InstanceId id{update.key.name, static_cast<std::uint32_t>(update.key.number)};
    if (const auto was = instances_.find(id); was != instances_.end()) {
      residents_[was->second.machine].erase(id);
    }
    Keep(instances_, id, update);
    if (update.record) residents_[instances_.at(id).machine].insert(id);
  }

  void ForgetInstancesOf(const std::string& service) {
    std::vector<InstanceId> gone;
    for (const auto& [id, instance] : instances_) {
      if (id.service == service) gone.push_back(id);
    }
    for (const InstanceId& id : gone) Forget(id);
  }

  std::vector<const Instance*> On(MachineId machine) const {
    std::vector<const Instance*> found;
    const auto at = residents_.find(machine);
    if (at == residents_.end()) return found;
    for (const InstanceId& id : at->second) found.push_back(&instances_.at(id));
    return found;
  }

  std::vector<const Instance*> PlacedOf(const std::string& service) const {
    std::vector<const Instance*> found;
    for (auto at = instances_.lower_bound({service, 0});
         at != instances_.end() && at->first.service == service; ++at) {
      if (at->second.HoldsRoom()) found.push_back(&at->second);
    }
    return found;
  }

  // By all but `wanted` and those who would yield to `newcomer`.
  Resources Used(MachineId machine, const Service* newcomer, const Instance* wanted) const {
    const bool evicts = newcomer != nullptr && !yielding_.contains(newcomer->klass);
    Resources used;
    for (const Instance* instance : On(machine)) {
      if (wanted != nullptr && instance->id == wanted->id) continue;
      if (evicts && Yields(services_.at(instance->id.service))) continue;
      used += instance->limit;
    }
    return used;
  }

  Resources UsedBy(TenantId tenant, const Instance* without) const {
    Resources used;
    for (const auto& [id, instance] : instances_) {
      if (services_.at(id.service).tenant != tenant) continue;
      if (without != nullptr && id == without->id) continue;
      if (instance.state != InstanceState::kEnded) used += instance.limit;
    }
    return used;
  }

  bool QuotaAllows(const Service& service, const Instance& wanted) const {
    const Tenant& tenant = tenants_.at(service.tenant);
    return !tenant.quota || (UsedBy(service.tenant, &wanted) + wanted.limit).FitsIn(*tenant.quota);
  }

  static bool Carries(const Machine& machine, const Labels& labels) {
    return std::ranges::all_of(labels, [&](const auto& label) {
      return std::ranges::find(machine.labels, label) != machine.labels.end();
    });
  }

  bool Supports(const Machine& machine, const Service& service, const Instance& instance) const {
    const InstanceType& type = types_.at(instance.type);
    const bool sku =
        type.skus.empty() || std::ranges::find(type.skus, machine.sku) != type.skus.end();
    return sku && Carries(machine, type.requires_labels) &&
           Carries(machine, service.constraints.labels);
  }

  bool IsolationHolds(MachineId machine) const {
    std::set<TenantId> tenants;
    bool isolates = false;
    for (const Instance* instance : On(machine)) {
      const Service& service = services_.at(instance->id.service);
      tenants.insert(service.tenant);
      isolates = isolates || service.constraints.isolate;
    }
    return !isolates || tenants.size() <= 1;
  }

  bool MayShare(const Machine& machine, const Service& service, const Instance& wanted) const {
    return std::ranges::all_of(On(machine.name), [&](const Instance* present) {
      if (present->id == wanted.id) return true;
      const Service& other = services_.at(present->id.service);
      return other.tenant == service.tenant ||
             (!other.constraints.isolate && !service.constraints.isolate);
    });
  }

  static auto RackOf(const Machine& m) { return std::tie(m.datacenter, m.cluster, m.row, m.rack); }

  static bool Together(Scope within, const Machine& a, const Machine& b) {
    if (within == Scope::kZone) return true;
    if (a.datacenter != b.datacenter) return false;
    if (within == Scope::kDatacenter) return true;
    return a.cluster == b.cluster && (within == Scope::kCluster || a.row == b.row);
  }

  static bool AllowsInRack(const Service& service, std::uint32_t in_rack) {
    const Constraints& asked = service.constraints;
    const std::uint32_t racks = asked.spread_racks;
    const std::uint32_t share = racks == 0 ? 0 : (service.InstanceCount() + racks - 1) / racks;
    return (asked.max_per_rack == 0 || in_rack <= asked.max_per_rack) &&
           (racks == 0 || in_rack <= share);
  }

  // With these of its instances around one on `machine`, itself not among them.
  bool SpreadAllows(const Service& service, const Machine& machine,
                    const std::vector<const Instance*>& others) const {
    std::uint32_t on_machine = 1;
    std::uint32_t in_rack = 1;
    std::uint32_t in_domain = 1;
    for (const Instance* other : others) {
      const Machine& at = machines_.at(other->machine);
      if (!Together(service.constraints.within, at, machine)) return false;
      if (at.name == machine.name) ++on_machine;
      if (RackOf(at) == RackOf(machine)) ++in_rack;
      if (at.update_domain == machine.update_domain) ++in_domain;
    }
    const std::uint32_t most = service.constraints.max_per_machine;
    const std::uint32_t most_in_domain = service.constraints.max_per_update_domain;
    return (most == 0 || on_machine <= most) && AllowsInRack(service, in_rack) &&
           (most_in_domain == 0 || in_domain <= most_in_domain);
  }

  bool SpreadHolds(const Service& service) const {
    const std::vector<const Instance*> placed = PlacedOf(service.name);
    return std::ranges::all_of(placed, [&](const Instance* one) {
      std::vector<const Instance*> others = placed;
      std::erase(others, one);
      return SpreadAllows(service, machines_.at(one->machine), others);
    });
  }

  bool IsWhole(const Service& service) const {
    std::map<std::pair<TypeId, RoleId>, std::uint32_t> promised;
    std::map<std::pair<TypeId, RoleId>, std::uint32_t> there;
    for (const InstanceGroup& group : service.groups) {
      if (group.count > 0) promised[{group.type, group.role}] += group.count;
    }
    for (auto at = instances_.lower_bound({service.name, 0});
         at != instances_.end() && at->first.service == service.name; ++at) {
      ++there[{at->second.type, at->second.role}];
    }
    return promised == there;
  }

  bool MayHost(const Machine& machine, const Service& service, const Instance& wanted) const {
    std::vector<const Instance*> others = PlacedOf(service.name);
    std::erase_if(others, [&](const Instance* other) { return other->id == wanted.id; });
    const Resources room = machine.capacity - Used(machine.name, &service, &wanted);
    return machine.health == Health::kReady && wanted.limit.FitsIn(room) &&
           Supports(machine, service, wanted) && MayShare(machine, service, wanted) &&
           SpreadAllows(service, machine, others);
  }

  std::set<ClassId> yielding_;
  std::map<MachineId, Machine> machines_;
  std::map<TenantId, Tenant> tenants_;
  std::map<TypeId, InstanceType> types_;
  std::map<std::string, Service> services_;
  std::map<InstanceId, Instance> instances_;
  std::map<MachineId, std::set<InstanceId>> residents_;  // Those without a machine: of no name.
};

}  // namespace berth::testing
