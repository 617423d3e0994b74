// For tests: a slow, obvious fleet. A list of records; what follows from them is recomputed from
// all of them each time, and a change is judged on a copy of the list. It shares no code with the
// inventory and its validator but the records themselves and the policy's reader.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "berth/change.h"
#include "fleet/settings.h"

namespace berth {

using Records = std::map<RecordKey, Record>;

template <typename T>
std::vector<const T*> AllOf(const Records& records) {
  std::vector<const T*> all;
  for (const auto& [key, record] : records) {
    if (const T* one = std::get_if<T>(&record)) all.push_back(one);
  }
  return all;
}

template <typename T>
const T* OneOf(const Records& records, const RecordKey& key) {
  const auto at = records.find(key);
  return at == records.end() ? nullptr : &std::get<T>(at->second);
}
inline const Machine* MachineOf(const Records& records, MachineId name) {
  return OneOf<Machine>(records, KeyOf(RecordKind::kMachine, name.str()));
}
inline const Service* ServiceIn(const Records& records, const std::string& name) {
  return OneOf<Service>(records, KeyOf(RecordKind::kService, name));
}

inline std::vector<const Instance*> InstancesOn(const Records& records, MachineId machine) {
  std::vector<const Instance*> on;
  for (const Instance* instance : AllOf<Instance>(records)) {
    if (instance->machine == machine) on.push_back(instance);
  }
  return on;
}

inline std::vector<const Instance*> InstancesOfService(const Records& records,
                                                       const std::string& name) {
  std::vector<const Instance*> of;
  for (const Instance* instance : AllOf<Instance>(records)) {
    if (instance->id.service == name) of.push_back(instance);
  }
  return of;
}

inline FleetSettings SettingsIn(const Records& records) {
  const auto policies = AllOf<PolicyText>(records);
  return policies.empty() ? DefaultFleetSettings()
                          : ParseFleetSettings(policies.front()->text).value();
}

// A change tried on a copy of the records.
class Trial {
 public:
  Trial(const Records& before, const std::map<RecordKey, Revision>& changed,
        const ChangeSet& change, Time now)
      : before_(before), after_(before), changed_(changed), change_(change), now_(now) {}

  // Why not; empty if it may be.
  std::string Refusal() {
    if (change_.guard && !GuardHolds()) return "guard";
    for (const Operation& operation : change_.operations) {
      std::string why = std::visit([this](const auto& op) { return Do(op); }, operation);
      if (!why.empty()) return why;
    }
    return Outcome();
  }
  // The records then.
  const Records& after() const { return after_; }

 private:
  bool GuardHolds() const {
    const auto* lease = OneOf<Lease>(before_, KeyOf(RecordKind::kLease, change_.guard->lease));
    return lease != nullptr && lease->epoch == change_.guard->epoch && lease->expires > now_;
  }

  bool ChangedSince(const RecordKey& key) const {
    if (key.kind == RecordKind::kInstance || key.kind == RecordKind::kLease) return false;
    const auto at = changed_.find(key);
    const bool there = key.kind == RecordKind::kPolicy || before_.contains(key);
    return there && at != changed_.end() && at->second > change_.seen;
  }

  std::string Do(const Put& put) {
    const RecordKey key = KeyOf(put.record);
    if (put.replaces && !before_.contains(key)) return "gone";
    if (ChangedSince(key)) return "changed since";
    put_.insert(key);
    if (const auto* service = std::get_if<Service>(&put.record)) return PutService(key, *service);
    if (const auto* instance = std::get_if<Instance>(&put.record))
      return PutInstance(key, *instance);
    if (const auto* lease = std::get_if<Lease>(&put.record)) return PutLease(key, *lease);
    after_[key] = put.record;
    return {};
  }
  std::string PutService(const RecordKey& key, Service service) {
    if (const Service* was = OneOf<Service>(after_, key)) {
      service.next_number = std::max(service.next_number, was->next_number);
    }
    after_[key] = service;
    return {};
  }
  std::string PutInstance(const RecordKey& key, Instance instance) {
    const RecordKey owner = KeyOf(RecordKind::kService, key.name);
    if (!after_.contains(owner)) return "no service";
    if (before_.contains(key) || after_.contains(key)) return "exists";
    const Service* old = OneOf<Service>(before_, owner);
    if (old != nullptr && key.number < old->next_number) return "number used";
    auto& service = std::get<Service>(after_[owner]);
    service.next_number = std::max(service.next_number, instance.id.number + 1);
    instance.state = instance.machine.empty() ? InstanceState::kPending : InstanceState::kPlaced;
    instance.timeline = {.created = change_.at, .since = change_.at};
    after_[key] = instance;
    return {};
  }
  std::string PutLease(const RecordKey& key, Lease lease) {
    const Lease* held = OneOf<Lease>(before_, key);
    const bool current = held != nullptr && held->expires > now_;
    if (current && held->holder != lease.holder) return "held";
    lease.epoch = held == nullptr ? 1 : held->epoch + (current ? 0 : 1);
    after_[key] = lease;
    return {};
  }

  std::string Do(const Remove& remove) {
    if (ChangedSince(remove.key)) return "changed since";
    if (!after_.contains(remove.key)) return "not there";
    put_.insert(remove.key);
    if (remove.key.kind == RecordKind::kService) {
      std::erase_if(after_, [&](const auto& entry) {
        return entry.first.kind == RecordKind::kInstance && entry.first.name == remove.key.name;
      });
    }
    after_.erase(remove.key);
    return {};
  }

  Instance* Find(const InstanceId& id) {
    const auto at = after_.find(KeyOf(id));
    return at == after_.end() ? nullptr : &std::get<Instance>(at->second);
  }
  void Enter(Instance& instance, InstanceState state) const {
    Timeline& timeline = instance.timeline;
    const Time at = change_.at < timeline.since ? timeline.since : change_.at;
    if (instance.state == InstanceState::kPending) {
      timeline.waited += at - timeline.since;
    } else if (instance.state != InstanceState::kEnded) {
      timeline.ran += at - timeline.since;
    }
    timeline.since = at;
    instance.state = state;
  }

  std::string Do(const Resize& resize) {
    Instance* instance = Find(resize.instance);
    if (instance == nullptr) return "not there";
    instance->limit = resize.limit;
    return {};
  }
  std::string Do(const Move& move) {
    Instance* instance = Find(move.instance);
    if (instance == nullptr || instance->state == InstanceState::kEnded) return "not there";
    if (instance->machine != move.from || move.to == move.from) return "elsewhere";
    Enter(*instance, InstanceState::kPlaced);
    instance->machine = move.to;
    instance->timeline.allocation = Duration();
    return {};
  }
  std::string Do(const SetPending& set) {
    Instance* instance = Find(set.instance);
    if (instance == nullptr || instance->machine.empty()) return "not there";
    if (instance->machine != set.from) return "elsewhere";
    Enter(*instance, InstanceState::kPending);
    instance->machine = MachineId();
    Timeline& timeline = instance->timeline;
    if (set.reason == WaitReason::kPreempted) {
      ++timeline.preemptions;
      timeline.overhead += timeline.allocation;
    }
    timeline.allocation = Duration();
    return {};
  }
  std::string Do(const Transition& transition) {
    Instance* instance = Find(transition.instance);
    if (instance == nullptr || instance->machine.empty()) return "not there";
    const Reported report = transition.report;
    if (report == Reported::kStarted && instance->state == InstanceState::kRunning) return {};
    const Timeline was = instance->timeline;
    Enter(*instance, report == Reported::kStarted ? InstanceState::kRunning
                     : report == Reported::kEnded ? InstanceState::kEnded
                                                  : InstanceState::kPlaced);
    if (report == Reported::kStarted && was.allocation == Duration()) {
      Timeline& now = instance->timeline;
      now.allocation = now.since - was.since;
      if (was.ran != Duration() || was.preemptions > 0) {
        now.ran = was.ran;
        now.waited = was.waited + now.allocation;
      }
    }
    if (report == Reported::kEnded) instance->machine = MachineId();
    if (report == Reported::kFailed || report == Reported::kOutOfMemory) {
      ++instance->timeline.failures;
    }
    if (report == Reported::kOutOfMemory) ++instance->timeline.out_of_memory;
    return {};
  }

  std::string Outcome() {
    settings_ = SettingsIn(after_);
    for (const Machine* machine : AllOf<Machine>(before_)) {
      if (MachineOf(after_, machine->name) == nullptr &&
          !InstancesOn(after_, machine->name).empty()) {
        return "machine in use";
      }
    }
    for (const Instance* instance : AllOf<Instance>(after_)) {
      std::string why = OutcomeOf(*instance);
      if (!why.empty()) return why;
    }
    for (const Machine* machine : AllOf<Machine>(after_)) {
      std::string why = OutcomeOf(*machine);
      if (!why.empty()) return why;
    }
    for (const Service* service : AllOf<Service>(after_)) {
      std::string why = OutcomeOf(*service);
      if (!why.empty()) return why;
    }
    for (const Tenant* tenant : AllOf<Tenant>(after_)) {
      if (OverQuota(*tenant)) return "quota";
    }
    return {};
  }

  const Instance* Before(const Instance& instance) const {
    return OneOf<Instance>(before_, KeyOf(instance.id));
  }
  bool Arrives(const Instance& instance) const {
    const Instance* was = Before(instance);
    return !instance.machine.empty() && (was == nullptr || was->machine != instance.machine);
  }
  bool Grows(const Instance& instance) const {
    const Instance* was = Before(instance);
    if (was == nullptr) return true;
    return std::ranges::any_of(kAllResources,
                               [&](Resource r) { return instance.limit[r] > was->limit[r]; });
  }
  static bool Has(const Labels& carried, const Labels& required) {
    return std::ranges::all_of(required, [&](const auto& label) {
      return std::ranges::find(carried, label) != carried.end();
    });
  }

  std::string OutcomeOf(const Instance& instance) const {
    if (instance.machine.empty()) return {};
    const Service& service = *ServiceIn(after_, instance.id.service);
    const Machine* machine = MachineOf(before_, instance.machine);
    if (!Arrives(instance)) {
      const Service* was = ServiceIn(before_, service.name);
      const Machine& now = *MachineOf(before_, instance.machine);
      const bool asks_anew = was->constraints.labels != service.constraints.labels;
      return asks_anew && !Has(now.labels, service.constraints.labels) ? "labels" : "";
    }
    if (machine == nullptr) return "no such machine";
    if (put_.contains(KeyOf(RecordKind::kMachine, instance.machine.str())))
      return "machine changes";
    if (machine->health != Health::kReady) return "health";
    const auto* type = OneOf<InstanceType>(after_, KeyOf(RecordKind::kType, instance.type.str()));
    if (type == nullptr) return "no type";
    if (!type->skus.empty() && std::ranges::find(type->skus, machine->sku) == type->skus.end()) {
      return "sku";
    }
    if (!Has(machine->labels, type->requires_labels)) return "type's labels";
    if (!Has(machine->labels, service.constraints.labels)) return "labels";
    return {};
  }

  std::string OutcomeOf(const Machine& machine) const {
    const Resources usable = settings_.Usable(machine.capacity);
    Resources sum;
    bool grows = false;
    bool gains = false;
    std::set<TenantId> tenants;
    bool isolating = false;
    const auto on = InstancesOn(after_, machine.name);
    for (const Instance* instance : on) {
      const Service& service = *ServiceIn(after_, instance->id.service);
      sum += instance->limit;
      gains = gains || Arrives(*instance);
      grows = grows || Arrives(*instance) || Grows(*instance);
      tenants.insert(service.tenant);
      isolating = isolating || service.constraints.isolate;
    }
    if (grows && !sum.FitsIn(usable)) return "fits";
    if (gains && isolating && tenants.size() > 1) return "isolation";
    for (const Machine* other : AllOf<Machine>(after_)) {
      if (other->datacenter == machine.datacenter && other->cluster == machine.cluster &&
          other->sku != machine.sku) {
        return "one sku";
      }
    }
    const Machine* was = MachineOf(before_, machine.name);
    if (was == nullptr || on.empty()) return {};
    if (Place(*was) != Place(machine) || was->sku != machine.sku) return "moves in use";
    for (const Resource r : kAllResources) {
      if (machine.capacity[r] < was->capacity[r] && sum[r] > usable[r]) return "shrinks in use";
    }
    return {};
  }

  static std::tuple<DatacenterId, ClusterId, RowId, RackId> Place(const Machine& machine) {
    return {machine.datacenter, machine.cluster, machine.row, machine.rack};
  }

  std::string OutcomeOf(const Service& service) const {
    if (!after_.contains(KeyOf(RecordKind::kTenant, service.tenant.str()))) return "no tenant";
    if (settings_.FindClass(service.klass) == nullptr) return "no class";
    const Service* was = ServiceIn(before_, service.name);
    if (was != nullptr && (was->tenant != service.tenant ||
                           was->constraints.isolate != service.constraints.isolate)) {
      return "fixed";
    }
    std::map<std::pair<TypeId, RoleId>, std::int64_t> wanted;
    std::int64_t count = 0;
    for (const InstanceGroup& group : service.groups) {
      if (!after_.contains(KeyOf(RecordKind::kType, group.type.str()))) return "no type";
      wanted[{group.type, group.role}] += group.count;
      count += group.count;
    }
    std::map<MachineId, std::uint32_t> on_machine;
    std::map<std::tuple<DatacenterId, ClusterId, RowId, RackId>, std::uint32_t> in_rack;
    std::map<DomainId, std::uint32_t> in_domain;
    std::set<std::string> scopes;
    for (const Instance* instance : InstancesOfService(after_, service.name)) {
      --wanted[{instance->type, instance->role}];
      if (instance->machine.empty()) continue;
      const Machine& machine = *MachineOf(after_, instance->machine);
      ++on_machine[machine.name];
      ++in_rack[Place(machine)];
      ++in_domain[machine.update_domain];
      scopes.insert(ScopeOf(service.constraints.within, machine));
    }
    for (const auto& [group, missing] : wanted) {
      if (missing != 0) return "whole";
    }
    const Constraints& c = service.constraints;
    for (const auto& [machine, n] : on_machine) {
      if (c.max_per_machine > 0 && n > c.max_per_machine) return "per machine";
    }
    for (const auto& [rack, n] : in_rack) {
      if (c.max_per_rack > 0 && n > c.max_per_rack) return "per rack";
      const auto share = (count + c.spread_racks - 1) / std::max<std::int64_t>(c.spread_racks, 1);
      if (c.spread_racks > 1 && n > share) return "spread";
    }
    for (const auto& [domain, n] : in_domain) {
      if (c.max_per_update_domain > 0 && n > c.max_per_update_domain) return "per update domain";
    }
    return scopes.size() > 1 ? "apart" : "";
  }

  static std::string ScopeOf(Scope scope, const Machine& machine) {
    if (scope == Scope::kZone) return {};
    std::string path = machine.datacenter.str();
    if (scope != Scope::kDatacenter) path += "/" + machine.cluster.str();
    if (scope == Scope::kRow) path += "/" + machine.row.str();
    return path;
  }

  bool OverQuota(const Tenant& tenant) const {
    if (!tenant.quota) return false;
    Resources used;
    bool grows = false;
    for (const Instance* instance : AllOf<Instance>(after_)) {
      if (ServiceIn(after_, instance->id.service)->tenant != tenant.name) continue;
      if (instance->state == InstanceState::kEnded) continue;
      used += instance->limit;
      grows = grows || Grows(*instance);
    }
    return grows && !used.FitsIn(*tenant.quota);
  }

  const Records& before_;
  Records after_;
  const std::map<RecordKey, Revision>& changed_;
  const ChangeSet& change_;
  const Time now_;
  FleetSettings settings_;   // With the change.
  std::set<RecordKey> put_;  // Put or removed, whatever came of it.
};

}  // namespace berth
