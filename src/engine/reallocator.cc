#include "engine/reallocator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "berth/engine.h"

namespace berth {
namespace {

bool MustLeave(const MachineState& machine) {
  const Health health = machine.record.health;
  return !machine.instances.empty() && (health == Health::kDown || health == Health::kDraining);
}

const Decision* DecisionOf(const Committed& committed) {
  for (const Update& update : committed.updates) {
    if (update.key.kind == RecordKind::kDecision) return &std::get<Decision>(*update.record);
  }
  return nullptr;
}

}  // namespace

void Reallocator::Begin() {
  queue_.Rebuild(means_.view);
  to_empty_.clear();
  for (const MachineState& machine : means_.view.machines()) {
    if (!machine.vacant()) NoteMachine(machine.record.name);
  }
  room_freed_ = true;
}

// Notes what a commit means for those that wait and for machines to be emptied.
void Reallocator::OnCommit(const Committed& committed) {
  const std::uint64_t waited = queue_.instances();
  std::uint64_t placed = 0;
  bool room = false;
  for (const Update& update : committed.updates) {
    switch (update.key.kind) {
      case RecordKind::kMachine:
        NoteMachine(MachineId(update.key.name));
        room = true;
        break;
      case RecordKind::kInstance: {
        queue_.Note(update);
        const auto* instance = update.record ? std::get_if<Instance>(&*update.record) : nullptr;
        const bool holds_room = instance != nullptr && instance->HoldsRoom();
        room = room || !holds_room;
        placed += holds_room ? 1 : 0;
        break;
      }
      case RecordKind::kService:
        queue_.Note(update);
        room = room || !update.record;
        break;
      case RecordKind::kPolicy:
      case RecordKind::kTenant:
      case RecordKind::kType:
        room = true;
        break;
      case RecordKind::kLease:
      case RecordKind::kIdempotency:
      case RecordKind::kDecision:
        break;
    }
  }
  const std::uint64_t stopped_waiting = waited - std::min(waited, queue_.instances());
  const Decision* decision = DecisionOf(committed);
  if (decision != nullptr) {
    // A newcomer that joins the queue brings no room; one that leaves its machine for another, or
    // has a new limit, does.
    if (decision->refusal && decision->refusal->rule == RuleId("queue")) room = false;
    if (decision->kind == DecisionKind::kResize && !decision->refusal) room = true;
    if (decision->kind == DecisionKind::kMove && placed > stopped_waiting) room = true;
  }
  if (!room) return;
  room_freed_ = true;
  ScheduleWork();
}

void Reallocator::NoteMachine(MachineId name) {
  const MachineState* machine = means_.view.Find(name);
  if (machine != nullptr && (MustLeave(*machine) || leaving_.contains(name))) {
    to_empty_.insert(name);
  } else {
    to_empty_.erase(name);
  }
}

// One pass at a time: first those that must leave their machine, then those that wait, in order.
void Reallocator::ScheduleWork() {
  if (working_ || (to_empty_.empty() && queue_.empty() && leaving_.empty())) return;
  working_ = true;
  room_freed_ = false;
  means_.executor.Post([this, alive = alive_] {
    if (*alive) BeginPass();
  });
}

void Reallocator::BeginPass() {
  std::vector<MachineId> kept;
  for (const auto& [name, leaving] : leaving_) {
    if (!leaving.drains || leaving.removed) continue;
    const MachineState* machine = means_.view.Find(name);
    const bool leaves = machine != nullptr && (machine->record.health == Health::kDraining ||
                                               machine->record.health == Health::kDown);
    if (leaves) {
      emptying_.insert(name);
    } else {
      kept.push_back(name);
    }
  }
  for (const MachineId name : kept) {
    AnswerLeaving(name, {.status = Status(Code::kAborted,
                                          fmt::format("machine {} was removed or put back to work "
                                                      "by others meanwhile; look at it again",
                                                      name.str()))});
  }
  for (const MachineId name : to_empty_) {
    const MachineState* machine = means_.view.Find(name);
    if (machine == nullptr) continue;
    // In the order of their names: a machine holds them in one that depends on how its view came
    // to be.
    std::set<InstanceId> leaving;
    for (const InstanceRef ref : machine->instances) {
      leaving.insert({means_.view[ref.service].record.name, ref.number});
    }
    work_.insert(work_.end(), leaving.begin(), leaving.end());
  }
  if (!leaves_waiting_) {
    for (std::string& service : queue_.InOrder())
      work_.emplace_back(PlacePending{std::move(service)});
  }
  NextWork();
}

void Reallocator::NextWork() {
  while (!work_.empty() && IsHeldBack(work_.front())) work_.pop_front();
  if (work_.empty()) return EndPass();
  const Work item = std::move(work_.front());
  work_.pop_front();
  if (const auto* waiting = std::get_if<PlacePending>(&item)) {
    means_.submit({.what = *waiting, .idempotency_key = {}, .quiet = true},
                  [this, service = waiting->service](const Reply&) { OnTried(service); });
    return;
  }
  const InstanceId id = std::get<InstanceId>(item);
  const MoveReason reason =
      HealthBelow(id) == Health::kDown ? MoveReason::kMachineFailed : MoveReason::kDrained;
  means_.submit(
      {.what = MoveInstance{id, MachineId(), reason}, .idempotency_key = {}, .quiet = true},
      [this, id](const Reply& reply) { OnMoved(id, reply); });
}

// Of the machine that the instance is on, if any.
std::optional<Health> Reallocator::HealthBelow(const InstanceId& id) const {
  const Instance* instance = means_.view.Find(id);
  const MachineState* machine =
      instance != nullptr && instance->HoldsRoom() ? means_.view.Find(instance->machine) : nullptr;
  return machine == nullptr ? std::nullopt : std::optional(machine->record.health);
}

// What still runs on a machine that drains may have to stay there for a while.
bool Reallocator::IsHeldBack(const Work& item) {
  const auto* id = std::get_if<InstanceId>(&item);
  if (id == nullptr || HealthBelow(*id) != Health::kDraining) return false;
  const std::optional<DisruptionLedger::Hold> hold = means_.gate.MayDisrupt(id->service);
  if (!hold) return false;
  held_back_on_[means_.view.Find(*id)->machine] = hold->because;
  if (!work_again_at_ || hold->until < *work_again_at_) work_again_at_ = hold->until;
  return true;
}

void Reallocator::WorkAgainLater() {
  if (!work_again_at_) return;
  means_.executor.PostAt(*std::exchange(work_again_at_, std::nullopt), [this, alive = alive_] {
    if (*alive) ScheduleWork();
  });
}

// What finds no other room waits if its machine is dead. If it only drains it runs on, unless a
// scheduler may make room for it: then it waits like the others.
void Reallocator::OnMoved(const InstanceId& id, const Reply& reply) {
  if (reply.accepted()) {
    ++reallocated_;
    return NextWork();
  }
  const std::optional<Health> health = HealthBelow(id);
  if (health != Health::kDown && !(leaves_waiting_ && health == Health::kDraining)) {
    return NextWork();
  }
  const WaitReason reason =
      health == Health::kDown ? WaitReason::kMachineFailed : WaitReason::kDrained;
  means_.submit({.what = SuspendInstance{id, reason}}, [this](const Reply&) { NextWork(); });
}

void Reallocator::OnTried(const std::string& service) {
  const ServiceState* state = means_.view.FindService(service);
  if (state != nullptr && std::ranges::any_of(state->instances, [](const Instance& instance) {
        return instance.state == InstanceState::kPending;
      })) {
    means_.still_waits(service);
  }
  NextWork();
}

void Reallocator::EndPass() {
  working_ = false;
  std::vector<MachineId> emptied;
  for (const MachineId name : to_empty_) {
    const MachineState* machine = means_.view.Find(name);
    // What only seems to have left may come back.
    const bool empty = machine != nullptr && machine->instances.empty() && means_.settled();
    if (machine == nullptr || empty) emptied.push_back(name);
  }
  for (const MachineId name : emptied) to_empty_.erase(name);
  FinishLeaving();
  held_back_on_.clear();
  WorkAgainLater();
  // A pass that freed nothing new cannot help the next.
  if (room_freed_) ScheduleWork();
}

void Reallocator::FinishLeaving() {
  for (const MachineId name : std::exchange(emptying_, {})) {
    const MachineState* machine = means_.view.Find(name);
    if (machine != nullptr && !machine->instances.empty()) {
      const auto held_back = held_back_on_.find(name);
      const std::string because = held_back == held_back_on_.end()
                                      ? "find no other room"
                                      : "may not leave yet: " + held_back->second;
      AnswerLeaving(
          name, {.status = Status(Code::kFailedPrecondition,
                                  fmt::format("{} instances on machine {} {}; it stays "
                                              "draining",
                                              machine->instances.size(), name.str(), because))});
      continue;
    }
    const auto leaving = leaving_.find(name);
    if (leaving == leaving_.end()) continue;
    leaving->second.removed = true;
    means_.submit(
        {.what = RemovalOf(name.str()), .idempotency_key = leaving->second.idempotency_key},
        [this, name](const Reply& reply) { AnswerLeaving(name, reply); });
  }
}

void Reallocator::AnswerLeaving(MachineId name, const Reply& reply) {
  const auto leaving = leaving_.extract(name);
  if (leaving.empty()) return;
  for (const ReplyDone& done : leaving.mapped().asked) {
    if (done) done(reply);
  }
}

void Reallocator::Decommission(const std::string& machine, ReplyDone done,
                               std::string idempotency_key) {
  const MachineId name(machine);
  const bool begun = leaving_.contains(name);
  Leaving& leaving = leaving_[name];
  leaving.asked.push_back(std::move(done));
  if (leaving.idempotency_key.empty()) leaving.idempotency_key = std::move(idempotency_key);
  if (begun) return;  // Whoever asks meanwhile gets the same answer.
  means_.submit({.what = SetHealth{name, Health::kDraining}}, [this, name](const Reply& reply) {
    if (!reply.accepted()) return AnswerLeaving(name, reply);
    leaving_[name].drains = true;
    to_empty_.insert(name);
    room_freed_ = true;
    ScheduleWork();
  });
}

}  // namespace berth
