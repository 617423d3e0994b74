#include "engine/yielding.h"

#include <algorithm>
#include <utility>

#include "base/stopwatch.h"
#include "engine/policy.h"

namespace berth {
namespace {

// Seatings on their way at a time: enough for the store to write many at once.
constexpr std::size_t kInFlightMax = 128;
// How often a service that starts whole is tried with other machines before others pass it.
constexpr std::uint32_t kTriesMax = 16;
// When the view could not be taken over because of what was tentative in it.
constexpr Duration kTakeOverAgainAfter = std::chrono::milliseconds(50);

// Whether a commit may let somebody in, or brings somebody who waits: not so our own, which leave
// nobody better off, nor leases and answers to keys.
bool MayMatter(const Committed& committed) {
  bool matters = false;
  for (const Update& update : committed.updates) {
    const auto* decision = update.record ? std::get_if<Decision>(&*update.record) : nullptr;
    if (decision != nullptr && decision->kind == DecisionKind::kMove &&
        decision->reason == MoveReason::kWaited) {
      return false;
    }
    const RecordKind kind = update.key.kind;
    matters = matters || (kind != RecordKind::kLease && kind != RecordKind::kIdempotency &&
                          kind != RecordKind::kDecision);
  }
  return matters;
}

}  // namespace

Yielding::Yielding(Means means, Store& store, std::string holder)
    : means_(std::move(means)),
      lease_(store, means_.executor, means_.view, "qos", std::move(holder)) {}

std::function<void()> Yielding::WhileAlive(void (Yielding::*what)()) {
  return [this, what, alive = alive_] {
    if (*alive) (this->*what)();
  };
}

void Yielding::SetPolicy(const Node& policy) {
  const Result<SchedulerPolicy> parsed = ParseSchedulerPolicy(policy, means_.view.settings());
  if (!parsed.ok()) return;
  policy_ = parsed.value();
  if (!serves()) {
    mirror_.reset();
    stale_ = false;
    return;
  }
  stale_ = true;
  means_.executor.Post(WhileAlive(&Yielding::Wake));  // Once the commit at hand is answered.
}

void Yielding::Begin() {
  if (serves()) MakeMirror();
}

void Yielding::MakeMirror() {
  stale_ = false;
  Result<AllocatePolicy> allocate = PolicyInForce(means_.view);
  if (!allocate.ok()) return;
  mirror_ = std::make_unique<YieldMirror>(means_.view, policy_, std::move(allocate).value());
  Wake();
}

void Yielding::OnCommit(const Committed& committed) {
  if (!serves() || mirror_ == nullptr || stale_) return;
  mirror_->Note(committed);
  if (mirror_->overgrown()) stale_ = true;
  if (MayMatter(committed)) Wake();
}

void Yielding::Wake() {
  again_ = true;
  if (busy_ || !serves()) return;
  if (stale_ && means_.settled()) return MakeMirror();
  if (stale_) {
    // In a view with commits on their way, placements that may never be would be taken for real.
    return means_.executor.PostAt(means_.executor.now() + kTakeOverAgainAfter,
                                  WhileAlive(&Yielding::Wake));
  }
  if (mirror_ == nullptr || !mirror_->anyone_waits()) return;
  busy_ = true;
  means_.executor.Post(WhileAlive(&Yielding::Ask));
}

void Yielding::Ask() {
  lease_.Hold([this, alive = alive_](std::optional<LeaseGuard> guard) {
    if (!*alive) return;
    if (guard) {
      guard_ = *std::move(guard);
      return Pass();
    }
    busy_ = false;
    ArmWatchdog();
  });
}

void Yielding::Pass() {
  if (mirror_ == nullptr || stale_) {
    busy_ = false;
    return Wake();
  }
  if (std::exchange(again_, false)) {
    mirror_->Unbench();
    tries_.clear();
  }
  const Stopwatch stopwatch;
  SeatPlan plan = mirror_->Pass(means_.executor.now());
  ++passes_;
  passing_ += stopwatch.elapsed();
  std::ranges::move(plan.seatings, std::back_inserter(to_seat_));
  too_few_ = std::move(plan.too_few);
  learnt_ = !too_few_.empty();
  SubmitMore();
}

void Yielding::SubmitMore() {
  while (!to_seat_.empty() && in_flight_ < kInFlightMax) {
    SeatPending seating = std::move(to_seat_.front());
    to_seat_.pop_front();
    ++in_flight_;
    means_.submit({.what = seating, .idempotency_key = {}, .quiet = true, .guard = guard_},
                  [this, alive = alive_, seating](const Reply& reply) {
                    if (*alive) OnSeated(seating, reply);
                  });
  }
  if (in_flight_ == 0) StartWhole();
}

void Yielding::OnSeated(const SeatPending& seating, const Reply& reply) {
  --in_flight_;
  if (reply.accepted()) {
    seated_ += seating.seats.size();
    for (const Seat& seat : seating.seats) preempted_ += seat.victims.size();
  } else if (mirror_ != nullptr && !stale_) {
    const bool whole = seating.seats.size() > 1;
    const bool refused = reply.status.ok() && mirror_->NoteRefusal(seating, *reply.decision);
    mirror_->TakeBack(seating);
    // A service that starts whole may find out seat by seat that they do not go together.
    if (whole && (!refused || ++tries_[seating.service] >= kTriesMax)) {
      too_few_.push_back(seating.service);
    }
    learnt_ = learnt_ || refused || whole;
  }
  SubmitMore();
}

// Services that start whole and did not find enough seats: perhaps the agents find room for them,
// as for those that must be near each other. Otherwise others may pass them.
void Yielding::StartWhole() {
  if (too_few_.empty()) return EndRound();
  const std::string service = std::move(too_few_.back());
  too_few_.pop_back();
  means_.submit(
      {.what = PlacePending{service}, .idempotency_key = {}, .quiet = true, .guard = guard_},
      [this, service, alive = alive_](const Reply& reply) {
        if (!*alive) return;
        if (!reply.accepted() && mirror_ != nullptr && !stale_) mirror_->Bench(service);
        StartWhole();
      });
}

void Yielding::EndRound() {
  if (again_ || learnt_) return means_.executor.Post(WhileAlive(&Yielding::Ask));
  busy_ = false;
  ArmWatchdog();
}

// Leeways change with time alone.
void Yielding::ArmWatchdog() {
  if (watched_ || mirror_ == nullptr || !mirror_->anyone_waits()) return;
  watched_ = true;
  means_.executor.PostAt(means_.executor.now() + policy_.watchdog, [this, alive = alive_] {
    if (!*alive) return;
    watched_ = false;
    if (mirror_ != nullptr) mirror_->ForgetRefusals();
    Wake();
  });
}

}  // namespace berth
