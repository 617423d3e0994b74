// For tests: a small fleet and short ways to change it. A case shows only what matters to it.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/change.h"
#include "berth/check.h"
#include "fleet/judge.h"

namespace berth {

inline constexpr std::int64_t kGi = std::int64_t{1} << 30;

inline Resources Amounts(std::int64_t cpu, std::int64_t memory_gi = 0) {
  Resources amounts;
  amounts[Resource::kCpu] = cpu * 1000;
  amounts[Resource::kMemory] = memory_gi * kGi;
  return amounts;
}

inline Labels OneLabel(std::string_view name, std::string_view value) {
  return {{LabelName(name), LabelName(value)}};
}

// 8 cpu and 32Gi in dc1/c1/r1.
inline Machine MachineIn(std::string_view name, std::string_view rack = "k1") {
  return {.name = MachineId(name),
          .datacenter = DatacenterId("dc1"),
          .cluster = ClusterId("c1"),
          .row = RowId("r1"),
          .rack = RackId(rack),
          .update_domain = DomainId("ud1"),
          .sku = SkuId("gen1"),
          .capacity = Amounts(8, 32),
          .labels = {},
          .health = Health::kReady};
}

// So many instances of type "small" for tenant "acme".
inline Service ServiceOf(std::string_view name, std::uint32_t count) {
  return {.name = std::string(name),
          .tenant = TenantId("acme"),
          .klass = ClassId("gold"),
          .groups = {{TypeId("small"), RoleId(), count}},
          .constraints = {}};
}

// Of type "small", with 1 cpu; waits if it has no machine.
inline Instance InstanceOf(std::string_view service, std::uint32_t number,
                           std::string_view machine = {}, std::int64_t cpu = 1) {
  Instance instance;
  instance.id = {std::string(service), number};
  instance.type = TypeId("small");
  instance.machine = MachineId(machine);
  instance.limit = Amounts(cpu);
  return instance;
}

using Operations = std::vector<Operation>;

// The service and its instances, one on each of the machines named.
inline Operations Create(const Service& service, const std::vector<std::string>& machines,
                         std::int64_t cpu = 1) {
  Operations operations = {Put{service}};
  std::uint32_t number = 0;
  for (const std::string& machine : machines) {
    operations.emplace_back(Put{InstanceOf(service.name, number++, machine, cpu)});
  }
  return operations;
}

inline Operations operator+(Operations a, const Operations& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline Operation Drop(RecordKind kind, std::string_view name) { return Remove{KeyOf(kind, name)}; }
inline Operation Drop(const InstanceId& id) { return Remove{KeyOf(id)}; }

// An inventory to which changes are judged and applied, as a store does it.
class World {
 public:
  // A tenant acme, one called rival, a type "small" of 1 cpu, and machines m1, m2 in rack k1 and
  // m3 in k2.
  World() {
    InstanceType small{
        .name = TypeId("small"), .size = Amounts(1), .skus = {}, .requires_labels = {}};
    Do({Put{Tenant{.name = TenantId("acme"), .quota = {}}},
        Put{Tenant{.name = TenantId("rival"), .quota = {}}}, Put{small}, Put{MachineIn("m1")},
        Put{MachineIn("m2")}, Put{MachineIn("m3", "k2")}});
  }

  const Inventory& inventory() const { return inventory_; }
  Revision revision() const { return inventory_.revision(); }
  Time now() const { return now_; }
  void Pass(Duration time) { now_ += time; }

  ChangeSet ChangeOf(Operations operations) const {
    return {.operations = std::move(operations), .seen = revision(), .at = now_, .guard = {}};
  }
  Judgement Ask(const ChangeSet& change) const { return Judge(inventory_, change, now_); }
  Judgement Ask(Operations operations) const { return Ask(ChangeOf(std::move(operations))); }

  // "rule: because" of the refusal; empty if it is accepted.
  std::string Why(const ChangeSet& change) const {
    const Judgement judgement = Ask(change);
    if (!judgement.violation) return {};
    return judgement.violation->rule.str() + ": " + judgement.violation->because;
  }
  std::string Why(Operations operations) const { return Why(ChangeOf(std::move(operations))); }

  void Do(const ChangeSet& change) {
    Judgement judgement = Ask(change);
    if (judgement.violation) std::fprintf(stderr, "%s\n", judgement.violation->because.c_str());
    BERTH_CHECK(!judgement.violation);  // What a case sets up must be sound.
    const Revision revision = Next(inventory_.revision());
    for (Update& update : judgement.updates) update.revision = revision;
    inventory_.Apply({.revision = revision, .at = now_, .updates = std::move(judgement.updates)});
  }
  void Do(Operations operations) { Do(ChangeOf(std::move(operations))); }

  void SetPolicy(std::string_view text) { Do({Put{PolicyText{std::string(text)}}}); }

 private:
  Inventory inventory_;
  Time now_ = TimeFromMicros(1'000'000);
};

}  // namespace berth
