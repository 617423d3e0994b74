#include "engine/promises.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "allocate/propose_service.h"

namespace berth {
namespace {

// Of a promised share, rounded up.
std::string InUnits(Resource r, Wide parts) {
  return FormatAmount(r, static_cast<std::int64_t>((parts + kWholePpm - 1) / kWholePpm));
}

}  // namespace

void Promises::Begin() {
  ledger_ = PromiseLedger();
  counted_.clear();
  promised_.clear();
  ledger_.Promise(held_);
  for (const MachineState& machine : view_.machines()) {
    if (!machine.vacant()) SetMachine(machine.record.name);
  }
  for (const ServiceState& service : view_.services()) {
    for (const KeptInstance& instance : service.instances) {
      const Promised promised = PromisedTo(instance, service.record);
      SetInstance(instance.id, &promised);
    }
  }
}

void Promises::Note(const Committed& committed) {
  for (const Update& update : committed.updates) {
    if (update.key.kind == RecordKind::kMachine) SetMachine(MachineId(update.key.name));
    if (update.key.kind == RecordKind::kService && !update.record) {
      const auto gone = promised_.find(update.key.name);
      if (gone == promised_.end()) continue;
      for (const auto& [number, promised] : gone->second) ledger_.Release(promised);
      promised_.erase(gone);
    }
    if (update.key.kind != RecordKind::kInstance) continue;
    const InstanceId id{update.key.name, static_cast<std::uint32_t>(update.key.number)};
    const ServiceState* service = view_.FindService(id.service);
    if (!update.record || service == nullptr) {
      SetInstance(id, nullptr);
      continue;
    }
    const Promised promised = PromisedTo(std::get<Instance>(*update.record), service->record);
    SetInstance(id, &promised);
  }
  const auto known = on_the_way_.upper_bound(committed.revision);
  for (auto at = on_the_way_.begin(); at != known; ++at) LetGo(at->second);
  on_the_way_.erase(on_the_way_.begin(), known);
}

// Only what is ready can keep a promise.
void Promises::SetMachine(MachineId name) {
  if (const auto counted = counted_.find(name); counted != counted_.end()) {
    ledger_.RemoveCapacity(counted->second);
    counted_.erase(counted);
  }
  const MachineState* machine = view_.Find(name);
  if (machine == nullptr || machine->record.health != Health::kReady) return;
  counted_.emplace(name, machine->usable);
  ledger_.AddCapacity(machine->usable);
}

void Promises::SetInstance(const InstanceId& id, const Promised* promised) {
  std::map<std::uint32_t, Promised>& service = promised_[id.service];
  if (const auto known = service.find(id.number); known != service.end()) {
    ledger_.Release(known->second);
    service.erase(known);
  }
  if (promised != nullptr) {
    ledger_.Promise(*promised);
    service.emplace(id.number, *promised);
  }
  if (service.empty()) promised_.erase(id.service);
}

// Those that wait were promised it all the same; those that ended were given what they had.
Promised Promises::PromisedTo(const Instance& instance, const Service& service) const {
  if (instance.state == InstanceState::kEnded) return {};
  return Promised().Add(instance.limit, TargetOf(service.klass));
}

std::uint32_t Promises::TargetOf(ClassId klass) const {
  const ServiceClass* found = view_.settings().FindClass(klass);
  return found == nullptr ? 0 : found->availability_ppm;
}

// What is wrong with it in other ways is not looked at: then it comes to nothing.
Promised Promises::AskedBy(const Action& action) const {
  Promised asked;
  if (const auto* create = std::get_if<CreateService>(&action)) {
    for (const InstanceGroup& group : create->service.groups) {
      const InstanceType* type = view_.Find(group.type);
      if (type == nullptr) continue;
      const auto start = std::ranges::find(create->limits, group.type, &StartingLimit::type);
      asked.Add(start == create->limits.end() ? type->size : start->limit,
                TargetOf(create->service.klass), group.count);
    }
  }
  if (const auto* scale = std::get_if<ScaleService>(&action)) {
    const ServiceState* service = view_.FindService(scale->service);
    if (service == nullptr) return asked;
    const auto add_groups = [&](const std::vector<InstanceGroup>& groups, std::int64_t sign) {
      for (const InstanceGroup& group : groups) {
        if (view_.Find(group.type) == nullptr) continue;
        asked.Add(LimitOfNew(view_, *service, group.type), TargetOf(service->record.klass),
                  sign * group.count);
      }
    };
    add_groups(scale->groups, 1);
    add_groups(service->record.groups, -1);
  }
  if (const auto* resize = std::get_if<ResizeService>(&action)) {
    const ServiceState* service = view_.FindService(resize->service);
    if (service == nullptr) return asked;
    for (const KeptInstance& instance : service->instances) {
      if (instance.type != resize->type || instance.state == InstanceState::kEnded) continue;
      asked.Add(resize->limit - instance.limit, TargetOf(service->record.klass));
    }
  }
  return asked;
}

std::optional<Refusal> Promises::Ask(const Action& action, ReplyDone& done) {
  const Promised asked = AskedBy(action);
  const std::optional<Resource> too_much = ledger_.FirstTooMuch(asked);
  if (!too_much) Hold(asked);
  done = [this, asked, refused = too_much.has_value(), alive = alive_,
          answer = std::move(done)](Reply reply) {
    if (*alive && refused && !reply.duplicate) ++refused_;
    if (*alive && !refused) Answered(asked, reply);
    if (answer) answer(std::move(reply));
  };
  if (!too_much) return std::nullopt;
  const Resource r = *too_much;
  return Refusal{.rule = RuleId("admission"),
                 .because = fmt::format(
                     "{} {} are promised of the {} that ready machines have, and {} more would be",
                     InUnits(r, ledger_.promised().Parts(r)), ResourceName(r),
                     InUnits(r, ledger_.capacity()[r] * kWholePpm), InUnits(r, asked.Parts(r))),
                 .cure = Cure::kMoreMachines,
                 .nearest = {}};
}

void Promises::Answered(const Promised& asked, const Reply& reply) {
  if (reply.accepted() && !reply.duplicate && reply.revision > view_.revision()) {
    on_the_way_.emplace(reply.revision, asked);
  } else {
    LetGo(asked);
  }
}

void Promises::Hold(const Promised& asked) {
  held_ += asked;
  ledger_.Promise(asked);
}

void Promises::LetGo(const Promised& asked) {
  held_ -= asked;
  ledger_.Release(asked);
}

}  // namespace berth
