// Small random fleets for tests that compare answers: every kind of obstacle occurs in them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "berth/rng.h"
#include "fleet/inventory.h"
#include "fleet/predicates.h"

namespace berth::testing {

inline void PutInto(Inventory& view, const Record& record) {
  view.Install({.key = KeyOf(record), .record = record, .revision = view.revision()});
}

inline Resources Sized(std::int64_t cpu, std::int64_t memory_gib) {
  Resources size;
  size[Resource::kCpu] = cpu * 1000;
  size[Resource::kMemory] = memory_gib << 30;
  return size;
}

inline const std::vector<std::string>& TypeNames() {
  static const std::vector<std::string> kNames = {"small", "tall",     "wide",
                                                  "picky", "labelled", "gpu"};
  return kNames;
}
inline const std::vector<std::string>& TenantNames() {
  static const std::vector<std::string> kNames = {"acme", "globex", "initech"};
  return kNames;
}

// On cpu only.
inline std::optional<Resources> RandomQuota(Rng& rng) {
  if (rng.Below(3) != 0) return std::nullopt;
  Resources quota;
  for (const Resource r : kAllResources) quota[r] = kUnlimited;
  quota[Resource::kCpu] = 1000 * static_cast<std::int64_t>(8 + rng.Below(64));
  return quota;
}

inline std::vector<Record> RandomTypesAndTenants(Rng& rng) {
  std::vector<Record> records;
  for (const std::string& name : TypeNames()) {
    InstanceType type;
    type.name = TypeId(name);
    type.size = Sized(1 + static_cast<std::int64_t>(rng.Below(8)),
                      1 + static_cast<std::int64_t>(rng.Below(16)));
    if (name == "picky") type.skus = {SkuId("sku1")};
    if (name == "labelled") type.requires_labels = {{LabelName("disk"), LabelName("ssd")}};
    if (name == "gpu") type.size[Resource::kGpu] = 1000;
    records.emplace_back(type);
  }
  for (const std::string& name : TenantNames()) {
    Tenant tenant;
    tenant.name = TenantId(name);
    tenant.quota = RandomQuota(rng);
    records.emplace_back(tenant);
  }
  return records;
}

inline Labels RandomLabels(Rng& rng) {
  static const std::vector<std::string> kRisks = {"0.1", "0.75", "unknown"};
  Labels labels;
  if (rng.Below(3) == 0) labels.emplace_back("disk", "ssd");
  if (rng.Below(2) == 0) labels.emplace_back("failure_risk", kRisks[rng.Below(kRisks.size())]);
  if (rng.Below(3) != 0) labels.emplace_back("host_version", fmt::format("v{}", 1 + rng.Below(2)));
  return labels;
}

inline std::vector<Record> RandomMachines(Rng& rng, bool all_ready) {
  std::vector<Record> records;
  const std::uint64_t clusters = 1 + rng.Below(6);
  for (std::uint64_t c = 0; c < clusters; ++c) {
    const std::uint64_t machines = 1 + rng.Below(12);
    for (std::uint64_t m = 0; m < machines; ++m) {
      Machine machine;
      machine.name = MachineId(fmt::format("c{}-m{}", c, m));
      machine.datacenter = DatacenterId(fmt::format("d{}", c % 2));
      machine.cluster = ClusterId(fmt::format("c{}", c));
      machine.row = RowId(fmt::format("row{}", m % 2));
      machine.rack = RackId(fmt::format("r{}", m % 4));
      machine.update_domain = DomainId(fmt::format("ud{}", m % 3));
      machine.sku = SkuId(fmt::format("sku{}", c % 2));
      machine.capacity = Sized(8 + static_cast<std::int64_t>(rng.Below(16)),
                               16 + static_cast<std::int64_t>(rng.Below(32)));
      if (rng.Below(4) == 0) machine.capacity[Resource::kGpu] = 4000;
      machine.labels = RandomLabels(rng);
      if (!all_ready && rng.Below(5) == 0) machine.health = static_cast<Health>(1 + rng.Below(3));
      records.emplace_back(machine);
    }
  }
  return records;
}

inline Constraints RandomConstraints(Rng& rng) {
  Constraints constraints;
  if (rng.Below(3) == 0) constraints.spread_racks = static_cast<std::uint32_t>(rng.Below(4));
  if (rng.Below(3) == 0) constraints.max_per_machine = static_cast<std::uint32_t>(1 + rng.Below(2));
  if (rng.Below(3) == 0) constraints.max_per_rack = static_cast<std::uint32_t>(1 + rng.Below(3));
  if (rng.Below(3) == 0) constraints.within = static_cast<Scope>(rng.Below(4));
  constraints.isolate = rng.Below(5) == 0;
  if (rng.Below(6) == 0) constraints.labels = {{LabelName("disk"), LabelName("ssd")}};
  if (rng.Below(4) == 0) {
    constraints.max_per_update_domain = static_cast<std::uint32_t>(1 + rng.Below(3));
  }
  return constraints;
}

// A policy in which bronze yields.
inline std::string PolicyWithEvictions(std::uint64_t oversubscribed_percent) {
  return fmt::format(
      "oversubscription: {{cpu: {}%}}\n"
      "classes:\n"
      "  - {{name: gold, availability: 100%, importance: 3}}\n"
      "  - {{name: silver, availability: 90%, importance: 2}}\n"
      "  - {{name: bronze, availability: 50%, importance: 1, evictable: true}}\n",
      oversubscribed_percent);
}

inline ClassId RandomClass(Rng& rng) {
  static const std::vector<std::string> kNames = {"gold", "silver", "bronze"};
  return ClassId(kNames[rng.Below(kNames.size())]);
}

inline Service RandomService(Rng& rng, std::string name) {
  Service service;
  service.name = std::move(name);
  service.tenant = TenantId(TenantNames()[rng.Below(TenantNames().size())]);
  service.klass = ClassId("gold");
  const std::uint64_t groups = 1 + rng.Below(2);
  for (std::uint64_t g = 0; g < groups; ++g) {
    service.groups.push_back({.type = TypeId(TypeNames()[rng.Below(TypeNames().size())]),
                              .role = RoleId(g == 0 ? "primary" : "secondary"),
                              .count = static_cast<std::uint32_t>(1 + rng.Below(3))});
  }
  service.constraints = RandomConstraints(rng);
  return service;
}

// The instances that a service asks for, none placed.
inline std::vector<Instance> InstancesOf(const Inventory& view, const Service& service) {
  std::vector<Instance> instances;
  for (const InstanceGroup& group : service.groups) {
    for (std::uint32_t i = 0; i < group.count; ++i) {
      Instance instance;
      instance.id = {service.name, static_cast<std::uint32_t>(instances.size())};
      instance.type = group.type;
      instance.role = group.role;
      instance.limit = view.Find(group.type)->size;
      instances.push_back(std::move(instance));
    }
  }
  return instances;
}

// A fleet on which some services already stand, wherever there was room: each within its scope, and
// for the rest as if their constraints had come later.
inline Inventory RandomFleet(Rng& rng) {
  Inventory view;
  for (const Record& record : RandomTypesAndTenants(rng)) PutInto(view, record);
  for (const Record& record : RandomMachines(rng, false)) PutInto(view, record);
  PutInto(view, PolicyText{PolicyWithEvictions(100)});
  const std::uint64_t services = rng.Below(8);
  for (std::uint64_t s = 0; s < services; ++s) {
    Service service = RandomService(rng, fmt::format("old{}", s));
    service.klass = RandomClass(rng);
    service.yield_whole = rng.Below(4) == 0;
    PutInto(view, service);
    const MachineState* first = nullptr;
    for (Instance instance : InstancesOf(view, service)) {
      const MachineState& machine = view.machines()[rng.Below(view.machines().size())];
      const bool together =
          first == nullptr || SameScope(service.constraints.within, *first, machine);
      if (instance.limit.FitsIn(machine.Free()) && together) {
        first = &machine;
        instance.machine = machine.record.name;
        instance.state = InstanceState::kPlaced;
      }
      PutInto(view, instance);
    }
  }
  return view;
}

// The records in which two fleets differ, by name.
inline std::string Differences(const Inventory& a, const Inventory& b) {
  const auto contents = [](const Inventory& view) {
    std::map<RecordKey, Record> records;
    for (const Update& update : view.AllRecords()) records.emplace(update.key, *update.record);
    return records;
  };
  const std::map<RecordKey, Record> left = contents(a);
  const std::map<RecordKey, Record> right = contents(b);
  std::string text;
  for (const auto& [key, record] : left) {
    const auto other = right.find(key);
    if (other == right.end()) text += fmt::format("only the first has {}\n", ToString(key));
    if (other != right.end() && other->second != record)
      text += fmt::format("{} differs\n", ToString(key));
  }
  for (const auto& [key, record] : right) {
    if (!left.contains(key)) text += fmt::format("only the second has {}\n", ToString(key));
  }
  return text;
}

}  // namespace berth::testing
