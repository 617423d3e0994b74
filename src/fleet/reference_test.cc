// Random changes against one inventory, beside the slow reference: the validator accepts and
// refuses the same changes, the records become the same, and what the inventory keeps of them is
// what the records say.
#include <gtest/gtest.h>

#include "berth/rng.h"
#include "fleet/inventory.h"
#include "fleet/judge.h"
#include "fleet/random_changes_testing.h"
#include "fleet/reference_testing.h"

namespace berth {
namespace {

struct Kind {
  const char* name;
  std::uint64_t seed;
  bool takes_away;  // Lowers quotas and ratios under what runs.
};

// What the inventory keeps is what the records say.

void ExpectSameMachine(const MachineState& state, const Records& records, const Inventory& all) {
  Resources allocated;
  std::map<TenantId, std::uint32_t> tenants;
  std::set<InstanceId> instances;
  std::uint32_t isolating = 0;
  for (const Instance* instance : InstancesOn(records, state.record.name)) {
    const Service& service = *ServiceIn(records, instance->id.service);
    allocated += instance->limit;
    ++tenants[service.tenant];
    instances.insert(instance->id);
    if (service.constraints.isolate) ++isolating;
  }
  std::map<TenantId, std::uint32_t> kept_tenants;
  for (const auto& [tenant, count] : state.occupancy.tenants) {
    kept_tenants[all[tenant].record.name] = count;
  }
  std::set<InstanceId> kept_instances;
  for (const InstanceRef& ref : state.instances) {
    kept_instances.insert({all[ref.service].record.name, ref.number});
  }
  EXPECT_EQ(state.allocated, allocated) << state.record.name.str();
  EXPECT_EQ(state.usable, all.settings().Usable(state.record.capacity));
  EXPECT_EQ(kept_tenants, tenants) << state.record.name.str();
  EXPECT_EQ(state.occupancy.isolating, isolating) << state.record.name.str();
  EXPECT_EQ(kept_instances, instances) << state.record.name.str();
  EXPECT_EQ(state.instances.size(), instances.size());
}

void ExpectSameClusters(const Inventory& inventory, const Records& records) {
  std::map<std::string, RackState> racks;
  std::size_t placed = 0;
  for (const ClusterState& cluster : inventory.clusters()) {
    ResourceTotals capacity;
    ResourceTotals allocated;
    std::vector<std::tuple<RowId, RackId, MachineId>> names;
    for (const Machine* machine : AllOf<Machine>(records)) {
      if (machine->datacenter != cluster.datacenter || machine->cluster != cluster.name) continue;
      names.emplace_back(machine->row, machine->rack, machine->name);
      capacity += machine->capacity;
      for (const Instance* on : InstancesOn(records, machine->name)) allocated += on->limit;
      EXPECT_EQ(machine->sku, cluster.sku);
    }
    std::ranges::sort(names);
    std::vector<std::tuple<RowId, RackId, MachineId>> kept;
    for (const MachineIndex index : cluster.machines) {
      const Machine& machine = inventory[index].record;
      kept.emplace_back(machine.row, machine.rack, machine.name);
    }
    EXPECT_EQ(kept, names);
    EXPECT_EQ(cluster.capacity, capacity) << cluster.name.str();
    EXPECT_EQ(cluster.allocated, allocated) << cluster.name.str();
    placed += names.size();
  }
  EXPECT_EQ(placed, AllOf<Machine>(records).size());
  for (const Machine* machine : AllOf<Machine>(records)) {
    RackState& rack = racks[machine->datacenter.str() + "/" + machine->cluster.str() + "/" +
                            machine->row.str() + "/" + machine->rack.str()];
    ++rack.machines;
    rack.capacity += machine->capacity;
    for (const Instance* on : InstancesOn(records, machine->name)) rack.allocated += on->limit;
  }
  for (const RackState& rack : inventory.racks()) {
    EXPECT_EQ(rack.machines, racks[rack.path].machines);
    EXPECT_EQ(rack.capacity, racks[rack.path].capacity) << rack.path;
    EXPECT_EQ(rack.allocated, racks[rack.path].allocated) << rack.path;
  }
}

void ExpectSame(const Inventory& inventory, const Records& records) {
  Records kept;
  for (const Update& update : inventory.AllRecords()) kept[update.key] = *update.record;
  ASSERT_EQ(kept, records);
  EXPECT_EQ(inventory.settings(), SettingsIn(records));
  for (const MachineState& machine : inventory.machines()) {
    if (!machine.vacant()) ExpectSameMachine(machine, records, inventory);
  }
  ExpectSameClusters(inventory, records);
  for (const TenantState& tenant : inventory.tenants()) {
    ResourceTotals used;
    std::uint32_t services = 0;
    for (const Service* service : AllOf<Service>(records)) {
      if (service->tenant != tenant.record.name) continue;
      ++services;
      for (const Instance* instance : InstancesOfService(records, service->name)) {
        if (instance->state != InstanceState::kEnded) used += instance->limit;
      }
    }
    EXPECT_EQ(tenant.used, used) << tenant.record.name.str();
    EXPECT_EQ(tenant.services, services) << tenant.record.name.str();
  }
}

// Where nothing is taken away, no machine is ever too full and no tenant over its quota.
void ExpectNothingExceeded(const Inventory& inventory) {
  for (const MachineState& machine : inventory.machines()) {
    EXPECT_TRUE(machine.allocated.FitsIn(machine.usable)) << machine.record.name.str();
  }
  for (const TenantState& tenant : inventory.tenants()) {
    for (const Resource r : kAllResources) {
      if (tenant.record.quota) {
        EXPECT_LE(tenant.used[r], (*tenant.record.quota)[r]);
      }
    }
  }
}

// Installs what each update replaced, the last first, as a store does that could not make a change
// durable.
void ExpectUndoRestores(const Inventory& before, const Committed& committed) {
  Inventory inventory = before;
  std::vector<Update> replaced;
  for (const Update& update : committed.updates) {
    replaced.push_back({.key = update.key,
                        .record = before.Get(update.key),
                        .revision = before.OwnRevision(update.key)});
  }
  inventory.Apply(committed);
  for (auto update = replaced.rbegin(); update != replaced.rend(); ++update) {
    inventory.Install(*update);
  }
  inventory.SetRevision(before.revision());
  const std::vector<Update> restored = inventory.AllRecords();
  const std::vector<Update> original = before.AllRecords();
  ASSERT_EQ(restored.size(), original.size());
  Records records;
  for (std::size_t i = 0; i < original.size(); ++i) {
    EXPECT_EQ(restored[i].key, original[i].key);
    EXPECT_EQ(restored[i].record, original[i].record) << ToString(original[i].key);
    EXPECT_EQ(restored[i].revision, original[i].revision) << ToString(original[i].key);
    records[original[i].key] = *original[i].record;
  }
  ExpectSame(inventory, records);
}

class Reference : public ::testing::TestWithParam<Kind> {};

TEST_P(Reference, AgreesWithInventoryAndValidator) {
  constexpr std::uint64_t kOperations = 26'000;
  Rng rng(GetParam().seed);
  Author author(rng.Fork("author"), GetParam().takes_away);
  Inventory inventory;
  Records records;
  std::map<RecordKey, Revision> changed;
  Time now = TimeFromMicros(0);
  std::uint64_t operations = 0;
  std::uint64_t accepted = 0;
  std::map<std::string, std::uint64_t> refused;
  for (std::uint64_t step = 0; operations < kOperations; ++step) {
    now += std::chrono::seconds(rng.Below(10));
    const ChangeSet change = author.Draw(inventory, records, now);
    operations += change.operations.size();
    Judgement judgement = Judge(inventory, change, now);
    Trial trial(records, changed, change, now);
    const std::string refusal = trial.Refusal();
    const std::string because = judgement.violation ? judgement.violation->because : "";
    ASSERT_EQ(refusal.empty(), because.empty())
        << "step " << step << ": the reference says '" << refusal << "', the validator '" << because
        << "'";
    if (change.seen == inventory.revision()) {
      ASSERT_FALSE(judgement.stale);
    }
    if (!refusal.empty()) {
      ++refused[refusal];
      continue;
    }
    ++accepted;
    const Revision revision = Next(inventory.revision());
    for (Update& update : judgement.updates) {
      update.revision = revision;
      changed[update.key] = revision;
    }
    const Committed committed{.revision = revision, .at = now, .updates = judgement.updates};
    if (step % 4 == 0) ExpectUndoRestores(inventory, committed);
    inventory.Apply(committed);
    records = trial.after();
    ExpectSame(inventory, records);
    if (!GetParam().takes_away) ExpectNothingExceeded(inventory);
    for (const auto& [key, at] : changed) {
      const bool there = key.kind == RecordKind::kPolicy || records.contains(key);
      ASSERT_EQ(inventory.OwnRevision(key), there ? at : Revision{}) << ToString(key);
    }
    ASSERT_FALSE(HasFailure()) << "step " << step;
  }
  // The draws reach what they are for.
  EXPECT_GT(accepted, operations / 10);
  for (const char* reason : {"fits",          "health",          "isolation",    "per machine",
                             "per rack",      "spread",          "apart",        "whole",
                             "quota",         "labels",          "sku",          "fixed",
                             "one sku",       "machine in use",  "moves in use", "shrinks in use",
                             "changed since", "number used",     "guard",        "held",
                             "elsewhere",     "machine changes", "gone"}) {
    EXPECT_GT(refused[reason], 0U) << reason;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Reference,
                         ::testing::Values(Kind{"TakesNothingAway1", 1, false},
                                           Kind{"TakesNothingAway2", 2, false},
                                           Kind{"TakesAway3", 3, true},
                                           Kind{"TakesAway4", 4, true}),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace berth
