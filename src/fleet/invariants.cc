#include "fleet/invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "fleet/settings.h"

namespace berth {
namespace {

FleetSettings SettingsOf(const RecordMap& records) {
  const auto* policy = FindRecord<PolicyText>(records, KeyOf(RecordKind::kPolicy, ""));
  if (policy == nullptr) return DefaultFleetSettings();
  Result<FleetSettings> settings = ParseFleetSettings(policy->text);
  return settings.ok() ? settings.value() : DefaultFleetSettings();
}

Revision RevisionOf(const RecordMap& records, const RecordKey& key) {
  const auto at = records.find(key);
  return at == records.end() ? Revision{} : at->second.revision;
}

template <typename Id>
Revision LastGrowth(const std::map<Id, Revision>& growth, Id id) {
  const auto at = growth.find(id);
  return at == growth.end() ? Revision{} : at->second;
}

bool InRange(const Resources& amounts) {
  return std::ranges::all_of(
      kAllResources, [&](Resource r) { return amounts[r] >= 0 && amounts[r] <= kAmountMax; });
}

// "12 cpu of 8", of the first resource of which there is too much; empty: all of it fits.
std::string TooMuch(const ResourceTotals& sum, const Resources& bound) {
  for (const Resource r : kAllResources) {
    if (sum[r] <= bound[r]) continue;
    const auto shown = static_cast<std::int64_t>(std::min<ResourceTotals::Wide>(sum[r], INT64_MAX));
    return fmt::format("{} {} of {}", FormatAmount(r, shown), ResourceName(r),
                       FormatAmount(r, bound[r]));
  }
  return {};
}

std::string PathOfRack(const Machine& machine) {
  return fmt::format("{}/{}/{}/{}", machine.datacenter.str(), machine.cluster.str(),
                     machine.row.str(), machine.rack.str());
}

Check WithinCapacity(const RecordMap& records, const Growth& growth) {
  Check check("machines within capacity");
  std::map<MachineId, ResourceTotals> allocated;
  std::map<MachineId, Revision> since;
  ForEachRecord<Instance>(records, [&](const Instance& instance, Revision revision) {
    if (!instance.HoldsRoom()) return;
    allocated[instance.machine] += instance.limit;
    since[instance.machine] = std::max(since[instance.machine], revision);
  });
  const FleetSettings settings = SettingsOf(records);
  const Revision policy = RevisionOf(records, KeyOf(RecordKind::kPolicy, ""));
  ForEachRecord<Machine>(records, [&](const Machine& machine, Revision revision) {
    if (!InRange(machine.capacity)) return;  // Said of the record itself.
    ++check.looked_at;
    const std::string over = TooMuch(allocated[machine.name], settings.Usable(machine.capacity));
    if (over.empty()) return;
    const RecordKey key = KeyOf(RecordKind::kMachine, machine.name.str());
    if (policy > LastGrowth(growth.machines, machine.name)) {
      return check.Allow(key, fmt::format("has {} allocated, which the policy allowed until "
                                          "revision {}",
                                          over, ToNumber(policy)));
    }
    check.Break(key, fmt::format("has {} allocated", over),
                std::max(since[machine.name], revision));
  });
  return check;
}

Check Isolated(const RecordMap& records) {
  Check check("isolated machines hold one tenant");
  struct Residents {
    std::set<TenantId> tenants;
    std::string isolating;  // A service that asks for it.
    Revision since{};
  };
  std::map<MachineId, Residents> on;
  ForEachRecord<Instance>(records, [&](const Instance& instance, Revision revision) {
    const auto* service =
        FindRecord<Service>(records, KeyOf(RecordKind::kService, instance.id.service));
    if (!instance.HoldsRoom() || service == nullptr) return;
    Residents& residents = on[instance.machine];
    residents.tenants.insert(service->tenant);
    if (service->constraints.isolate) residents.isolating = service->name;
    residents.since = std::max(residents.since, revision);
  });
  for (const auto& [machine, residents] : on) {
    ++check.looked_at;
    if (residents.isolating.empty() || residents.tenants.size() < 2) continue;
    check.Break(KeyOf(RecordKind::kMachine, machine.str()),
                fmt::format("holds instances of {} tenants, but service {} asks for isolation",
                            residents.tenants.size(), residents.isolating),
                residents.since);
  }
  return check;
}

// What of its instances may be in one rack; none: any number.
std::optional<std::uint64_t> RackLimit(const Service& service) {
  std::optional<std::uint64_t> most;
  const Constraints& asks = service.constraints;
  if (asks.max_per_rack > 0) most = asks.max_per_rack;
  if (asks.spread_racks > 1) {
    std::uint64_t all = 0;
    for (const InstanceGroup& group : service.groups) all += group.count;
    const std::uint64_t share =
        std::max<std::uint64_t>(1, (all + asks.spread_racks - 1) / asks.spread_racks);
    most = std::min(most.value_or(share), share);
  }
  return most;
}

std::string ScopePath(Scope scope, const Machine& machine) {
  std::string path;
  if (scope >= Scope::kDatacenter) path = machine.datacenter.str();
  if (scope >= Scope::kCluster) path += "/" + machine.cluster.str();
  if (scope >= Scope::kRow) path += "/" + machine.row.str();
  return path;
}

void CheckSpreadOf(const Service& service, const std::vector<const Machine*>& machines,
                   Revision since, Check& check) {
  const RecordKey key = KeyOf(RecordKind::kService, service.name);
  std::map<std::string, std::uint64_t> on_machine;
  std::map<std::string, std::uint64_t> in_rack;
  std::map<std::string, std::uint64_t> in_domain;
  std::set<std::string> scopes;
  for (const Machine* machine : machines) {
    ++on_machine[machine->name.str()];
    ++in_rack[PathOfRack(*machine)];
    ++in_domain[machine->update_domain.str()];
    scopes.insert(ScopePath(service.constraints.within, *machine));
  }
  for (const auto& [machine, count] : on_machine) {
    const std::uint32_t most = service.constraints.max_per_machine;
    if (most == 0 || count <= most) continue;
    check.Break(
        key,
        fmt::format("has {} instances on machine {}, at most {} are allowed", count, machine, most),
        since);
  }
  const std::optional<std::uint64_t> rack_limit = RackLimit(service);
  for (const auto& [rack, count] : in_rack) {
    if (!rack_limit || count <= *rack_limit) continue;
    check.Break(key,
                fmt::format("has {} instances in rack {}, at most {} are allowed", count, rack,
                            *rack_limit),
                since);
  }
  for (const auto& [domain, count] : in_domain) {
    const std::uint32_t most = service.constraints.max_per_update_domain;
    if (most == 0 || count <= most) continue;
    check.Break(key,
                fmt::format("has {} instances in update domain {}, at most {} are allowed", count,
                            domain, most),
                since);
  }
  if (scopes.size() > 1) {
    check.Break(key,
                fmt::format("must stay within one {} and is in {}",
                            ToString(service.constraints.within), scopes.size()),
                since);
  }
}

Check Spread(const RecordMap& records) {
  Check check("services spread and kept together as asked");
  std::map<std::string, std::vector<const Machine*>> machines;
  std::map<std::string, Revision> since;
  ForEachRecord<Instance>(records, [&](const Instance& instance, Revision revision) {
    const auto* machine =
        FindRecord<Machine>(records, KeyOf(RecordKind::kMachine, instance.machine.str()));
    if (machine == nullptr) return;
    machines[instance.id.service].push_back(machine);
    since[instance.id.service] = std::max(since[instance.id.service], revision);
  });
  ForEachRecord<Service>(records, [&](const Service& service, Revision revision) {
    ++check.looked_at;
    CheckSpreadOf(service, machines[service.name], std::max(since[service.name], revision), check);
  });
  return check;
}

Check WithinQuota(const RecordMap& records, const Growth& growth) {
  Check check("tenants within quota");
  std::map<TenantId, ResourceTotals> used;
  ForEachRecord<Instance>(records, [&](const Instance& instance, Revision) {
    const auto* service =
        FindRecord<Service>(records, KeyOf(RecordKind::kService, instance.id.service));
    if (service == nullptr || instance.state == InstanceState::kEnded) return;
    used[service->tenant] += instance.limit;
  });
  ForEachRecord<Tenant>(records, [&](const Tenant& tenant, Revision revision) {
    ++check.looked_at;
    const std::string over = tenant.quota ? TooMuch(used[tenant.name], *tenant.quota) : "";
    if (over.empty()) return;
    const RecordKey key = KeyOf(RecordKind::kTenant, tenant.name.str());
    const Revision grew = LastGrowth(growth.tenants, tenant.name);
    if (revision > grew) {
      return check.Allow(key, fmt::format("uses {}, which its quota allowed until revision {}",
                                          over, ToNumber(revision)));
    }
    check.Break(key, fmt::format("uses {}", over), grew);
  });
  return check;
}

Check InstancesStand(const RecordMap& records) {
  Check check("instances have their service, type and machine");
  ForEachRecord<Instance>(records, [&](const Instance& instance, Revision revision) {
    ++check.looked_at;
    const RecordKey key = KeyOf(instance.id);
    const auto* service =
        FindRecord<Service>(records, KeyOf(RecordKind::kService, instance.id.service));
    if (service == nullptr) {
      return check.Break(key, "belongs to a service that is not there", revision);
    }
    if (instance.id.number >= service->next_number) {
      check.Break(
          key,
          fmt::format("is numbered past its service, which continues at {}", service->next_number),
          revision);
    }
    if (!records.contains(KeyOf(RecordKind::kType, instance.type.str()))) {
      check.Break(key, fmt::format("is of type '{}', which is not there", instance.type.str()),
                  revision);
    }
    const bool on_machine =
        instance.state == InstanceState::kPlaced || instance.state == InstanceState::kRunning;
    if (on_machine != instance.HoldsRoom()) {
      check.Break(key,
                  fmt::format("is {} and {}", ToString(instance.state),
                              instance.HoldsRoom() ? "still has a machine" : "has no machine"),
                  revision);
    } else if (on_machine &&
               !records.contains(KeyOf(RecordKind::kMachine, instance.machine.str()))) {
      check.Break(key,
                  fmt::format("is on machine '{}', which is not there", instance.machine.str()),
                  revision);
    }
  });
  return check;
}

Check ServicesWhole(const RecordMap& records) {
  Check check("services have just the instances they declare");
  using Group = std::tuple<std::string, TypeId, RoleId>;
  std::map<Group, std::int64_t> there;
  ForEachRecord<Instance>(records, [&](const Instance& instance, Revision) {
    ++there[{instance.id.service, instance.type, instance.role}];
  });
  std::map<Group, std::int64_t> declared;
  ForEachRecord<Service>(records, [&](const Service& service, Revision) {
    ++check.looked_at;
    for (const InstanceGroup& group : service.groups) {
      declared[{service.name, group.type, group.role}] += group.count;
    }
  });
  for (const auto& [group, count] : there) declared.try_emplace(group, 0);
  for (const auto& [group, wanted] : declared) {
    const auto at = there.find(group);
    const std::int64_t found = at == there.end() ? 0 : at->second;
    const auto& [service, type, role] = group;
    const RecordKey key = KeyOf(RecordKind::kService, service);
    if (found == wanted || !records.contains(key)) continue;
    check.Break(key,
                fmt::format("declares {} instances of type '{}' in role '{}' and has {}", wanted,
                            type.str(), role.str(), found),
                RevisionOf(records, key));
  }
  return check;
}

Check ServicesStand(const RecordMap& records) {
  Check check("services have their tenant, types and class");
  const FleetSettings settings = SettingsOf(records);
  ForEachRecord<Service>(records, [&](const Service& service, Revision revision) {
    ++check.looked_at;
    const RecordKey key = KeyOf(RecordKind::kService, service.name);
    if (!records.contains(KeyOf(RecordKind::kTenant, service.tenant.str()))) {
      check.Break(key,
                  fmt::format("belongs to tenant '{}', which is not there", service.tenant.str()),
                  revision);
    }
    for (const InstanceGroup& group : service.groups) {
      if (records.contains(KeyOf(RecordKind::kType, group.type.str()))) continue;
      check.Break(key, fmt::format("declares type '{}', which is not there", group.type.str()),
                  revision);
    }
    if (settings.FindClass(service.klass) == nullptr) {
      check.Break(key, fmt::format("is of class '{}', which the policy lacks", service.klass.str()),
                  revision);
    }
  });
  return check;
}

Check OneSkuEach(const RecordMap& records) {
  Check check("clusters of one SKU");
  std::map<std::pair<DatacenterId, ClusterId>, SkuId> skus;
  ForEachRecord<Machine>(records, [&](const Machine& machine, Revision revision) {
    const auto [at, first] = skus.try_emplace({machine.datacenter, machine.cluster}, machine.sku);
    if (first) ++check.looked_at;
    if (at->second == machine.sku) return;
    check.Break(KeyOf(RecordKind::kMachine, machine.name.str()),
                fmt::format("is a '{}' in cluster {} of '{}'", machine.sku.str(),
                            machine.cluster.str(), at->second.str()),
                revision);
  });
  return check;
}

}  // namespace

void Check::Break(const RecordKey& record, std::string_view wrong, Revision since) {
  const std::string named = ToString(record);
  Break(named, fmt::format("{} {}; restore a backup from before revision {}", named, wrong,
                           ToNumber(since)));
}

void Check::Break(std::string record, std::string sentence) {
  ++broken;
  if (breaches.size() < kKept) breaches.push_back({std::move(record), std::move(sentence)});
}

void Check::Allow(const RecordKey& record, std::string_view why) {
  const std::string named = ToString(record);
  if (allowed.size() < kKept) allowed.push_back({named, fmt::format("{} {}", named, why)});
}

std::vector<Check> CheckFleet(const RecordMap& records, const Growth& growth) {
  std::vector<Check> checks = CheckRecords(records);
  checks.push_back(ServicesStand(records));
  checks.push_back(InstancesStand(records));
  checks.push_back(ServicesWhole(records));
  checks.push_back(OneSkuEach(records));
  checks.push_back(WithinCapacity(records, growth));
  checks.push_back(WithinQuota(records, growth));
  checks.push_back(Isolated(records));
  checks.push_back(Spread(records));
  return checks;
}

}  // namespace berth
