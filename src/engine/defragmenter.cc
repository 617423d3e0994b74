#include "engine/defragmenter.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "allocate/what_if/mover.h"

namespace berth {
namespace {

// The first of a service's instances that waits and may be placed by itself. One that is nowhere
// yet is placed whole, and room for one of its instances would not help it.
std::optional<Instance> FirstWaiting(const ServiceState& service) {
  std::optional<Instance> first;
  std::size_t waiting = 0;
  bool some_run = false;
  for (const Instance& instance : service.instances) {
    some_run = some_run || instance.HoldsRoom();
    if (instance.state != InstanceState::kPending) continue;
    if (waiting++ == 0) first = instance;
  }
  return waiting == 1 || some_run ? first : std::nullopt;
}

}  // namespace

Defragmenter::Defragmenter(Means means, Store& store, std::string holder)
    : means_(std::move(means)),
      lease_(store, means_.executor, means_.view, "oversub", std::move(holder)) {}

void Defragmenter::Consider(const std::string& service) {
  if (!on_ || due_.size() == kDueMax || std::ranges::find(due_, service) != due_.end()) return;
  due_.push_back(service);
  if (!busy_) Schedule(next_look_);
}

void Defragmenter::Schedule(Time at) {
  busy_ = true;
  means_.executor.PostAt(std::max(at, means_.executor.now()),
                         [this, alive = std::weak_ptr<bool>(alive_)] {
                           if (!alive.expired()) Begin();
                         });
}

void Defragmenter::Begin() {
  lease_.Hold([this, alive = std::weak_ptr<bool>(alive_)](std::optional<LeaseGuard> guard) {
    if (alive.expired()) return;
    if (!guard)
      return Schedule(std::max(lease_.held_until(), means_.executor.now() + kBetweenPlans));
    guard_ = *std::move(guard);
    PlanNext();
  });
}

void Defragmenter::PlanNext() {
  if (due_.empty()) return End();
  const std::string name = std::move(due_.front());
  due_.pop_front();
  next_look_ = means_.executor.now() + kBetweenPlans;
  const ServiceState* service = means_.view.FindService(name);
  const std::optional<Instance> waiting =
      on_ && service != nullptr ? FirstWaiting(*service) : std::nullopt;
  if (!waiting) return End();
  std::optional<RoomPlan> plan = PlanRoom(means_.policy(), means_.view, *waiting, means_.outlook());
  if (!plan) return End();
  std::vector<std::string> disrupted;
  for (const PlannedMove& move : plan->moves) disrupted.push_back(move.instance.service);
  if (const auto hold = means_.gate.MayDisruptAll(disrupted)) {
    means_.gate.NoteHold(name, {hold->until, "room could be made by moves, but " + hold->because});
    means_.executor.PostAt(hold->until, [this, name, alive = std::weak_ptr<bool>(alive_)] {
      if (!alive.expired()) Consider(name);
    });
    return End();
  }
  waiting_ = waiting->id;
  left_.assign(plan->moves.begin(), plan->moves.end());
  NextMove();
}

// Others may have gone there since the plan was made.
bool Defragmenter::StillBelowTheta(const PlannedMove& move) const {
  const Instance* instance = means_.view.Find(move.instance);
  const std::optional<MachineIndex> to = means_.view.IndexOf(move.to);
  if (instance == nullptr || !to) return false;
  const ServiceState& service = *means_.view.FindService(move.instance.service);
  const Footprint footprint(means_.view, service);
  const Ask ask = AskFor(means_.view, service.record, *instance, footprint, means_.outlook());
  return StaysBelowTheta(means_.policy(), ask, {*to, means_.view[*to]});
}

void Defragmenter::NextMove() {
  if (left_.empty()) return End();
  const PlannedMove move = std::move(left_.front());
  left_.pop_front();
  means_.submit({.what = MoveInstance{.instance = move.instance,
                                      .to = move.to,
                                      .reason = MoveReason::kFragmentation,
                                      .room_for = waiting_},
                 .idempotency_key = {},
                 .quiet = true,
                 .guard = guard_,
                 .avoids = [this, move](MachineId /*to*/) { return !StillBelowTheta(move); }},
                [this, alive = std::weak_ptr<bool>(alive_)](const Reply& reply) {
                  if (!alive.expired()) OnMoved(reply);
                });
}

void Defragmenter::OnMoved(const Reply& reply) {
  if (!reply.accepted()) return End();
  ++moves_;
  NextMove();
}

void Defragmenter::End() {
  left_.clear();
  busy_ = false;
  if (!due_.empty()) Schedule(next_look_);
}

}  // namespace berth
