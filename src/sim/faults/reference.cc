#include "sim/faults/reference.h"

#include <fmt/format.h>

#include <tuple>
#include <utility>

namespace berth::faults {

template <typename T>
const T* Reference::Find(const RecordKey& key) const {
  const auto at = records_.find(key);
  return at == records_.end() ? nullptr : &std::get<T>(at->second);
}

template <typename See>
void Reference::ForEachInstance(const See& see) const {
  const RecordKey first{.kind = RecordKind::kInstance, .name = {}, .number = 0};
  for (auto at = records_.lower_bound(first);
       at != records_.end() && at->first.kind == RecordKind::kInstance; ++at) {
    see(std::get<Instance>(at->second));
  }
}

template <typename See>
void Reference::ForEachInstanceOf(const std::string& service, const See& see) const {
  const RecordKey first{.kind = RecordKind::kInstance, .name = service, .number = 0};
  for (auto at = records_.lower_bound(first);
       at != records_.end() && at->first.kind == RecordKind::kInstance && at->first.name == service;
       ++at) {
    see(std::get<Instance>(at->second));
  }
}

const Machine& Reference::MachineOf(const Instance& instance) const {
  return std::get<Machine>(records_.at(KeyOf(RecordKind::kMachine, instance.machine.str())));
}

Reference::Touched Reference::Install(const Committed& committed) {
  Touched touched;
  for (const Update& update : committed.updates) {
    const RecordKind kind = update.key.kind;
    if (kind != RecordKind::kService && kind != RecordKind::kInstance) continue;
    touched.services.insert(update.key.name);
    if (!records_.contains(KeyOf(RecordKind::kService, update.key.name))) {
      touched.created.insert(update.key.name);
    }
  }
  for (const Update& update : committed.updates) {
    if (update.key.kind == RecordKind::kDecision) continue;
    if (update.key.kind == RecordKind::kMachine)
      touched.machines.insert(MachineId(update.key.name));
    if (update.key.kind == RecordKind::kInstance && update.record) {
      const auto* was = Find<Instance>(update.key);
      const MachineId machine = std::get<Instance>(*update.record).machine;
      if (!machine.empty()) touched.machines.insert(machine);
      if (!machine.empty() && (was == nullptr || was->machine != machine)) {
        touched.gaining.insert(machine);
      }
    }
    if (update.record) {
      records_.insert_or_assign(update.key, *update.record);
    } else {
      records_.erase(update.key);
    }
  }
  return touched;
}

std::optional<std::string> Reference::Apply(const Committed& committed) {
  const Touched touched = Install(committed);
  for (const MachineId name : touched.machines) {
    if (Problem problem = CheckMachine(name)) return problem;
  }
  for (const MachineId name : touched.gaining) {
    if (Problem problem = CheckArrival(name)) return problem;
  }
  for (const std::string& name : touched.services) {
    if (Problem problem = CheckService(name, touched.created.contains(name))) return problem;
  }
  for (const Update& update : committed.updates) {
    if (update.key.kind != RecordKind::kDecision) continue;
    if (Problem problem = CheckDecision(std::get<Decision>(*update.record))) return problem;
  }
  return std::nullopt;
}

Reference::Problem Reference::CheckMachine(MachineId name) const {
  const auto* machine = Find<Machine>(KeyOf(RecordKind::kMachine, name.str()));
  Resources sum;
  std::set<TenantId> tenants;
  bool isolating = false;
  ForEachInstance([&](const Instance& instance) {
    if (instance.machine != name) return;
    sum += instance.limit;
    const auto* service = Find<Service>(KeyOf(RecordKind::kService, instance.id.service));
    if (service == nullptr) return;  // CheckService tells.
    tenants.insert(service->tenant);
    isolating = isolating || service->constraints.isolate;
  });
  if (machine == nullptr) {
    return sum.IsZero() ? Problem()
                        : fmt::format("machine {} is gone but holds instances", name.str());
  }
  for (const Resource r : kAllResources) {
    if (sum[r] <= machine->capacity[r]) continue;
    return fmt::format("machine {} is over its capacity: {} {} of {}", name.str(),
                       FormatAmount(r, sum[r]), ResourceName(r),
                       FormatAmount(r, machine->capacity[r]));
  }
  if (isolating && tenants.size() > 1) {
    return fmt::format("machine {} holds an isolating service beside another tenant", name.str());
  }
  return std::nullopt;
}

Reference::Problem Reference::CheckArrival(MachineId name) const {
  const auto* machine = Find<Machine>(KeyOf(RecordKind::kMachine, name.str()));
  if (machine == nullptr || machine->health == Health::kReady) return std::nullopt;
  return fmt::format("an instance was put on machine {}, which is {}", name.str(),
                     ToString(machine->health));
}

Reference::Problem Reference::CheckService(const std::string& name, bool created) const {
  std::map<std::pair<TypeId, RoleId>, std::int64_t> missing;
  std::int64_t running = 0;
  std::int64_t pending = 0;
  const auto* service = Find<Service>(KeyOf(RecordKind::kService, name));
  if (service != nullptr) {
    for (const InstanceGroup& group : service->groups) {
      missing[{group.type, group.role}] += group.count;
    }
  }
  ForEachInstanceOf(name, [&](const Instance& instance) {
    --missing[{instance.type, instance.role}];
    running += instance.HoldsRoom() ? 1 : 0;
    pending += instance.state == InstanceState::kPending ? 1 : 0;
  });
  for (const auto& [group, count] : missing) {
    if (count == 0) continue;
    return fmt::format("service {} is neither whole nor absent: {} {} instances of type {}", name,
                       count > 0 ? count : -count, count > 0 ? "missing" : "surplus",
                       group.first.str());
  }
  if (created && running > 0 && pending > 0) {
    return fmt::format("service {} was created in part: {} of its instances wait", name, pending);
  }
  return service == nullptr ? std::nullopt : CheckSpread(*service);
}

Reference::Problem Reference::CheckSpread(const Service& service) const {
  using Rack = std::tuple<DatacenterId, ClusterId, RowId, RackId>;
  const Constraints& asked = service.constraints;
  std::map<MachineId, std::uint32_t> on_machine;
  std::map<Rack, std::uint32_t> in_rack;
  std::map<DomainId, std::uint32_t> in_domain;
  std::set<std::tuple<DatacenterId, ClusterId, RowId>> scopes;
  std::uint32_t most_on_machine = 0;
  std::uint32_t most_in_rack = 0;
  std::uint32_t most_in_domain = 0;
  ForEachInstanceOf(service.name, [&](const Instance& instance) {
    if (!instance.HoldsRoom()) return;
    const Machine& m = MachineOf(instance);
    most_on_machine = std::max(most_on_machine, ++on_machine[m.name]);
    most_in_rack = std::max(most_in_rack, ++in_rack[{m.datacenter, m.cluster, m.row, m.rack}]);
    most_in_domain = std::max(most_in_domain, ++in_domain[m.update_domain]);
    scopes.insert({asked.within == Scope::kZone ? DatacenterId() : m.datacenter,
                   asked.within >= Scope::kCluster ? m.cluster : ClusterId(),
                   asked.within == Scope::kRow ? m.row : RowId()});
  });
  if (asked.max_per_machine != 0 && most_on_machine > asked.max_per_machine) {
    return fmt::format("service {} has {} instances on one machine and allows {}", service.name,
                       most_on_machine, asked.max_per_machine);
  }
  if (asked.max_per_rack != 0 && most_in_rack > asked.max_per_rack) {
    return fmt::format("service {} has {} instances in one rack and allows {}", service.name,
                       most_in_rack, asked.max_per_rack);
  }
  if (asked.max_per_update_domain != 0 && most_in_domain > asked.max_per_update_domain) {
    return fmt::format("service {} has {} instances in one update domain and allows {}",
                       service.name, most_in_domain, asked.max_per_update_domain);
  }
  const std::uint32_t count = service.InstanceCount();
  if (asked.spread_racks > 1 &&
      most_in_rack > (count + asked.spread_racks - 1) / asked.spread_racks) {
    return fmt::format("service {} asks for {} racks and has {} of {} instances in one",
                       service.name, asked.spread_racks, most_in_rack, count);
  }
  if (scopes.size() > 1) {
    return fmt::format("service {} must stay within one {} and does not", service.name,
                       ToString(asked.within));
  }
  return std::nullopt;
}

// What a decision says was placed is where it says.
Reference::Problem Reference::CheckDecision(const Decision& decision) const {
  for (const Placement& placement : decision.placed) {
    const InstanceId id{decision.subject, placement.instance};
    const auto* instance = Find<Instance>(KeyOf(id));
    if (instance != nullptr && instance->machine == placement.machine) continue;
    return fmt::format("decision {} placed {} on {}, but its commit did not", ToString(decision.id),
                       ToString(id), placement.machine.str());
  }
  return std::nullopt;
}

}  // namespace berth::faults
