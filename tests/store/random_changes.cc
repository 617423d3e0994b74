#include "random_changes.h"

#include <fmt/format.h>

#include <utility>

#include "support.h"

namespace berth {
namespace {

constexpr std::uint64_t kMachinesMax = 30;
constexpr std::uint64_t kTriesMax = 8;  // Slots may be vacant.

}  // namespace

RandomChanges::RandomChanges(std::uint64_t seed, std::string agent)
    : rng_(Rng(seed).Fork(agent)), agent_(std::move(agent)) {}

ChangeSet RandomChanges::Next(const Inventory& view, Time now) {
  Operations operations;
  AddSomething(view, now, operations);
  if (rng_.Below(8) == 0) AddSomething(view, now, operations);
  Decision decision = DecisionNumbered(agent_, ++sequence_);
  decision.seen = view.revision();
  operations.emplace_back(Put{std::move(decision)});
  const std::uint64_t behind = rng_.Below(4) == 0 ? rng_.Below(5) : 0;
  ChangeSet change = ChangeOf(
      std::move(operations),
      Revision{ToNumber(view.revision()) - std::min(behind, ToNumber(view.revision()))}, now);
  if (rng_.Below(30) == 0) change.guard = LeaseGuard{.lease = "l0", .epoch = 1 + rng_.Below(3)};
  return change;
}

void RandomChanges::AddSomething(const Inventory& view, Time now, Operations& operations) {
  const std::uint64_t what = rng_.Below(100);
  const ServiceState* service = AnyService(view);
  if (what < 10) {
    PutMachine(view, operations);
  } else if (what < 35 || service == nullptr) {
    CreateService(view, operations);
  } else if (what < 50) {
    operations.emplace_back(Remove{KeyOf(RecordKind::kService, service->record.name)});
  } else if (what < 60) {
    GrowService(view, service->record, operations);
  } else if (what < 85) {
    ChangeInstance(view, operations);
  } else {
    PutSmallThing(view, now, operations);
  }
}

void RandomChanges::PutMachine(const Inventory& view, Operations& operations) {
  const std::string name = fmt::format("m{}", rng_.Below(kMachinesMax));
  if (view.Find(TenantId("t")) == nullptr) operations.emplace_back(Put{TenantNamed("t")});
  if (view.Find(TypeId("small")) == nullptr) operations.emplace_back(Put{TypeNamed("small", 1000)});
  if (rng_.Below(4) == 0) {
    operations.emplace_back(Remove{KeyOf(RecordKind::kMachine, name)});
    return;
  }
  Machine machine = MachineNamed(name, static_cast<std::int64_t>(4000 + 1000 * rng_.Below(8)));
  machine.rack = RackId(fmt::format("k{}", rng_.Below(3)));
  if (const MachineState* known = view.Find(machine.name)) machine.rack = known->record.rack;
  if (rng_.Below(5) == 0) machine.health = static_cast<Health>(rng_.Below(4));
  operations.emplace_back(Put{std::move(machine)});
}

void RandomChanges::CreateService(const Inventory& view, Operations& operations) {
  std::vector<std::string> machines;
  for (std::uint64_t i = 1 + rng_.Below(5); i > 0; --i) machines.push_back(AnyMachine(view).str());
  const std::string name = fmt::format("{}-s{}", agent_, ++services_);
  for (Operation& operation : CreateOn(name, machines)) operations.push_back(std::move(operation));
}

void RandomChanges::GrowService(const Inventory& view, Service service, Operations& operations) {
  Instance instance = InstanceOn(service.name, service.next_number++, AnyMachine(view).str());
  ++service.groups[0].count;
  operations.emplace_back(Put{std::move(service)});
  operations.emplace_back(Put{std::move(instance)});
}

void RandomChanges::ChangeInstance(const Inventory& view, Operations& operations) {
  const Instance* instance = AnyInstance(view);
  if (instance == nullptr) return;
  switch (rng_.Below(4)) {
    case 0:
      operations.emplace_back(
          Resize{instance->id, Cpu(static_cast<std::int64_t>(500 * rng_.Below(5)))});
      return;
    case 1:
      operations.emplace_back(Move{instance->id, instance->machine, AnyMachine(view)});
      return;
    case 2:
      operations.emplace_back(SetPending{instance->id, instance->machine, WaitReason::kPreempted});
      return;
    default:
      operations.emplace_back(Transition{instance->id, static_cast<Reported>(rng_.Below(4))});
  }
}

void RandomChanges::PutSmallThing(const Inventory& view, Time now, Operations& operations) {
  const std::string number = fmt::format("{}", rng_.Below(4));
  const Time soon = now + Duration(static_cast<std::int64_t>(rng_.Below(50'000)));
  switch (rng_.Below(7)) {
    case 0:
      operations.emplace_back(
          Put{Lease{.name = "l" + number, .holder = agent_, .epoch = 0, .expires = soon}});
      return;
    case 1:
    case 2:
      operations.emplace_back(Put{Idempotency{.key = "key" + number,
                                              .request_hash = rng_.Below(2),
                                              .decision = {agent_, sequence_ + 1},
                                              .expires = soon}});
      return;
    case 3:
      operations.emplace_back(Put{TypeNamed("type" + number, 1000)});
      return;
    case 4:
      operations.emplace_back(Put{TenantNamed("tenant" + number)});
      return;
    case 5:
      operations.emplace_back(view.policy().text.empty()
                                  ? Operation(Put{PolicyText{"# policy " + number + "\n"}})
                                  : Operation(Remove{KeyOf(RecordKind::kPolicy, "")}));
      return;
    default:
      operations.emplace_back(Remove{KeyOf(RecordKind::kType, "type" + number)});
  }
}

MachineId RandomChanges::AnyMachine(const Inventory& view) {
  for (std::uint64_t i = 0; i < kTriesMax && !view.machines().empty(); ++i) {
    const MachineState& machine = view.machines()[rng_.Below(view.machines().size())];
    if (!machine.vacant()) return machine.record.name;
  }
  return MachineId("m0");
}

const ServiceState* RandomChanges::AnyService(const Inventory& view) {
  for (std::uint64_t i = 0; i < kTriesMax && !view.services().empty(); ++i) {
    const ServiceState& service = view.services()[rng_.Below(view.services().size())];
    if (!service.vacant()) return &service;
  }
  return nullptr;
}

const Instance* RandomChanges::AnyInstance(const Inventory& view) {
  const ServiceState* service = AnyService(view);
  if (service == nullptr || service->instances.empty()) return nullptr;
  return &service->instances[rng_.Below(service->instances.size())];
}

}  // namespace berth
