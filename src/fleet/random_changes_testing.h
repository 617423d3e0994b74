// For tests: random changes of a small fleet, over a handful of names so that they meet.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "berth/rng.h"
#include "fleet/fleet_testing.h"
#include "fleet/inventory.h"
#include "fleet/reference_testing.h"

namespace berth {

inline constexpr std::array kTenants = {"a", "b", "c"};
inline constexpr std::array kTypes = {"t0", "t1", "t2"};
inline constexpr std::array kRoles = {"", "primary"};
inline constexpr std::array kPolicies = {
    "oversubscription: {cpu: 150%}",
    "oversubscription: {cpu: 100%, memory: 2}",
    "classes: [{name: gold, availability: 1, importance: 3}, "
    "{name: bronze, availability: 50%, importance: 1}]",
};

// Draws changes that are mostly sensible, and sometimes not.
class Author {
 public:
  Author(Rng rng, bool takes_away) : rng_(rng), takes_away_(takes_away) {}

  ChangeSet Draw(const Inventory& inventory, const Records& records, Time now) {
    inventory_ = &inventory;
    records_ = &records;
    ChangeSet change;
    change.seen = inventory.revision();
    if (Chance(8)) {
      const std::uint64_t back = std::min(rng_.Below(6), ToNumber(change.seen));
      change.seen = Revision{ToNumber(change.seen) - back};
    }
    change.at = now - std::chrono::seconds(rng_.Below(3));
    const std::uint64_t parts = 1 + (Chance(3) ? rng_.Below(3) : 0);
    for (std::uint64_t i = 0; i < parts; ++i) AddPart(change, now);
    for (Operation& operation : change.operations) {
      if (auto* put = std::get_if<Put>(&operation)) put->replaces = Chance(4);
    }
    return change;
  }

 private:
  bool Chance(std::uint64_t one_in) { return rng_.Below(one_in) == 0; }
  template <typename Items>
  auto& Pick(Items& items) {
    return items[rng_.Below(items.size())];
  }
  std::string Numbered(char letter, std::uint64_t count) {
    return letter + std::to_string(rng_.Below(count));
  }
  std::string ServiceName() { return Numbered('s', 6); }
  MachineId MachineName() { return MachineId(Numbered('m', 10)); }

  void AddPart(ChangeSet& change, Time now) {
    Operations& ops = change.operations;
    switch (rng_.Below(16)) {
      case 0:
        return CreateService(ops);
      case 1:
      case 2:
        return ScaleService(ops);
      case 3:
        if (Chance(4)) ops.push_back(Drop(RecordKind::kService, ServiceName()));
        return;
      case 4:
      case 5:
        return PutMachine(ops);
      case 6:
        return AddRecords(ops);
      case 7:
        return AddLease(change, now);
      case 8:
        if (Chance(4)) ops.push_back(Drop(RecordKind::kMachine, MachineName().str()));
        return;
      default:
        return ChangeInstance(ops);
    }
  }

  // One that could take the instance, or any, or none.
  MachineId Place(const Resources& limit) {
    for (int i = 0; i < 6 && !Chance(6); ++i) {
      const MachineState* machine = inventory_->Find(MachineName());
      if (machine != nullptr && machine->record.health == Health::kReady &&
          limit.FitsIn(machine->Free())) {
        return machine->record.name;
      }
    }
    return Chance(3) ? MachineName() : MachineId();
  }
  Resources Limit() {
    return Amounts(static_cast<std::int64_t>(1 + rng_.Below(3)),
                   static_cast<std::int64_t>(rng_.Below(4)));
  }

  Service RandomService(const std::string& name) {
    Service service = ServiceOf(name, 0);
    service.tenant = TenantId(Pick(kTenants));
    service.klass = ClassId(Chance(20) ? "silver" : Chance(2) ? "gold" : "bronze");
    service.groups.clear();
    for (std::uint64_t i = rng_.Below(3); i > 0; --i) {
      service.groups.push_back({TypeId(Chance(2) ? kTypes[0] : Pick(kTypes)), RoleId(Pick(kRoles)),
                                static_cast<std::uint32_t>(rng_.Below(4))});
    }
    Constraints& c = service.constraints;
    if (Chance(3)) c.spread_racks = static_cast<std::uint32_t>(rng_.Below(4));
    if (Chance(4)) c.max_per_machine = static_cast<std::uint32_t>(rng_.Below(3));
    if (Chance(4)) c.max_per_rack = static_cast<std::uint32_t>(rng_.Below(4));
    if (Chance(3)) c.within = static_cast<Scope>(rng_.Below(4));
    c.isolate = Chance(4);
    if (Chance(6)) c.labels = OneLabel("ssd", "yes");
    if (Chance(4)) c.max_per_update_domain = static_cast<std::uint32_t>(rng_.Below(4));
    return service;
  }

  void AddInstances(Operations& ops, const Service& service, const InstanceGroup& group,
                    std::uint32_t count, std::uint32_t& number) {
    if (Chance(25)) ++count;  // One more than it declares.
    for (std::uint32_t i = 0; i < count; ++i) {
      Instance instance = InstanceOf(service.name, number++);
      instance.type = group.type;
      instance.role = group.role;
      instance.limit = Limit();
      instance.machine = Place(instance.limit);
      ops.emplace_back(Put{instance});
    }
  }

  void CreateService(Operations& ops) {
    Service service = RandomService(ServiceName());
    const Service* known = ServiceIn(*records_, service.name);
    if (known != nullptr && !Chance(6)) {
      service.tenant = known->tenant;
      service.constraints.isolate = known->constraints.isolate;
      ops.push_back(Drop(RecordKind::kService, service.name));
    }
    std::uint32_t number = known == nullptr ? 0 : known->next_number;
    ops.emplace_back(Put{service});
    for (const InstanceGroup& group : service.groups) {
      AddInstances(ops, service, group, group.count, number);
    }
  }

  void ScaleService(Operations& ops) {
    const Service* known = ServiceIn(*records_, ServiceName());
    if (known == nullptr || known->groups.empty()) return CreateService(ops);
    Service service = *known;
    InstanceGroup& group = Pick(service.groups);
    if (Chance(8)) service.constraints = RandomService(service.name).constraints;
    std::uint32_t number = Chance(20) ? 0 : service.next_number;
    if (Chance(2)) {
      const auto more = static_cast<std::uint32_t>(1 + rng_.Below(2));
      group.count += more;
      ops.emplace_back(Put{service});
      return AddInstances(ops, service, group, more, number);
    }
    for (const Instance* instance : InstancesOfService(*records_, service.name)) {
      if (instance->type != group.type || instance->role != group.role || Chance(2)) continue;
      ops.push_back(Drop(instance->id));
      if (!Chance(20)) --group.count;
    }
    ops.emplace_back(Put{service});
  }

  void PutMachine(Operations& ops) {
    const auto number = rng_.Below(10);
    Machine machine = MachineIn("m" + std::to_string(number), Numbered('k', 2));
    machine.datacenter = DatacenterId(number < 7 ? "d0" : "d1");
    machine.cluster = ClusterId("c" + std::to_string(number / 4));
    machine.row = RowId(number % 2 == 0 ? "r0" : "r1");
    machine.sku = SkuId(Chance(15) ? "other" : number / 4 == 0 ? "s0" : "s1");
    machine.capacity = Amounts(Chance(5) ? 2 : 8, 16);
    machine.health = Chance(5) ? static_cast<Health>(rng_.Below(4)) : Health::kReady;
    if (Chance(2)) machine.labels = OneLabel("ssd", "yes");
    if (const Machine* known = MachineOf(*records_, machine.name); known != nullptr && !Chance(4)) {
      machine.rack = known->rack;
    }
    ops.emplace_back(Put{machine});
  }

  void AddRecords(Operations& ops) {
    const TenantId tenant(Pick(kTenants));
    switch (rng_.Below(takes_away_ ? 6 : 4)) {
      case 0: {
        InstanceType type{
            .name = TypeId(Pick(kTypes)), .size = Amounts(1), .skus = {}, .requires_labels = {}};
        if (type.name == TypeId("t1")) type.skus = {SkuId("s0")};
        if (type.name == TypeId("t2")) type.requires_labels = OneLabel("ssd", "yes");
        ops.emplace_back(Put{type});
        return;
      }
      case 1:
        if (Chance(4)) ops.push_back(Drop(RecordKind::kType, Pick(kTypes)));
        return;
      case 2:
        if (Chance(4)) ops.push_back(Drop(RecordKind::kTenant, tenant.str()));
        return;
      case 3:
        // Its own quota each time: nothing is taken away.
        ops.emplace_back(Put{Tenant{.name = tenant, .quota = QuotaOf(tenant)}});
        return;
      case 4:
        ops.emplace_back(Put{Tenant{
            .name = tenant, .quota = Amounts(static_cast<std::int64_t>(rng_.Below(20)), 40)}});
        return;
      default:
        if (Chance(4)) {
          ops.push_back(Drop(RecordKind::kPolicy, ""));
        } else {
          ops.emplace_back(Put{PolicyText{Pick(kPolicies)}});
        }
        return;
    }
  }
  static std::optional<Resources> QuotaOf(TenantId tenant) {
    if (tenant == TenantId("a")) return std::nullopt;
    Resources quota = Amounts(tenant == TenantId("b") ? 12 : 25);
    quota[Resource::kMemory] = kUnlimited;
    return quota;
  }

  void AddLease(ChangeSet& change, Time now) {
    const Lease lease{.name = "controller",
                      .holder = Numbered('h', 2),
                      .epoch = 0,
                      .expires = now + std::chrono::seconds(rng_.Below(30))};
    if (Chance(2)) change.operations.emplace_back(Put{lease});
    const auto held = inventory_->leases().find("controller");
    if (Chance(2) && held != inventory_->leases().end()) {
      change.guard = LeaseGuard{.lease = "controller", .epoch = held->second.epoch - rng_.Below(2)};
    }
  }

  void ChangeInstance(Operations& ops) {
    const auto all = AllOf<Instance>(*records_);
    if (all.empty()) return CreateService(ops);
    const Instance* drawn = Pick(all);
    for (int i = 0; i < 4 && drawn->state == InstanceState::kEnded; ++i) drawn = Pick(all);
    const Instance& instance = *drawn;
    const MachineId from = Chance(20) ? MachineName() : instance.machine;
    // What waits is mostly placed.
    switch (instance.machine.empty() && !Chance(6) ? 2 : rng_.Below(7)) {
      case 0:
      case 1:
        ops.emplace_back(Resize{instance.id, Limit()});
        return;
      case 2:
      case 3: {
        const MachineId to = Place(instance.limit);
        if (to.empty()) return;
        ops.emplace_back(Move{instance.id, from, to});
        if (Chance(10)) ops.emplace_back(Move{instance.id, to, MachineName()});
        return;
      }
      case 4:
        ops.emplace_back(SetPending{instance.id, from, static_cast<WaitReason>(rng_.Below(4))});
        return;
      default:
        ops.emplace_back(Transition{instance.id, Chance(8)   ? Reported::kEnded
                                                 : Chance(2) ? Reported::kFailed
                                                 : Chance(2) ? Reported::kOutOfMemory
                                                             : Reported::kStarted});
        return;
    }
  }

  Rng rng_;
  bool takes_away_;
  const Inventory* inventory_ = nullptr;
  const Records* records_ = nullptr;
};

}  // namespace berth
