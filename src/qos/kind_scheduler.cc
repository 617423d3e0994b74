#include "qos/kind_scheduler.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "qos/priority_search.h"
#include "qos/qos_search.h"
#include "qos/room_index.h"
#include "qos/touch_log.h"
#include "qos/waiting_kinds.h"

namespace berth {
namespace {

using NewSearch = std::unique_ptr<PreemptionSearch> (*)(const Scheduler&);

class KindScheduler final : public Scheduler {
 public:
  KindScheduler(SchedulerOptions options, const HostFilter& filter, NewSearch new_search)
      : Scheduler(std::move(options), filter), search_(new_search(*this)) {}

  void ConstraintChanged(std::uint32_t constraint) override;

 private:
  using Waiting = std::set<WaitingEntry>::const_iterator;

  // A place in the queue.
  struct Turn {
    Leeway value;
    std::uint64_t order = 0;

    friend bool operator<(const Turn& a, const Turn& b) {
      const auto by_value = a.value <=> b.value;
      return by_value != 0 ? by_value < 0 : a.order < b.order;
    }
  };
  // The next of a kind.
  struct Head {
    std::uint32_t kind = 0;
    Waiting at;
    Turn turn;
  };
  struct LaterTurn {
    bool operator()(const Head& a, const Head& b) const { return b.turn < a.turn; }
  };
  // What a pass knows of a kind.
  struct Knowledge {
    bool stuck = false;             // It finds no place, but for
    std::uint64_t stuck_since = 0;  // hosts that were touched since.
  };

  void Decide(Time now) override;
  std::optional<Offer> FindFor(RequestIndex request, HostIndex home, Time now) override;
  void HostIsUp(HostIndex host) override;
  void HostIsDown(HostIndex host) override;
  void Waits(RequestIndex request, Time now) override;
  void WaitsNoMore(RequestIndex request) override;
  void Runs(RequestIndex request, Time now) override;
  void Leaves(RequestIndex request) override;
  void RoomChanged(HostIndex host) override;

  WaitingEntry WaitingEntryOf(RequestIndex request) const;
  Head HeadAt(std::uint32_t kind, Waiting at, Time now) const;
  void SearchFor(const Head& head, Time now);

  void BeginPass(Time now);
  void Push(const Head& head);
  void Try(const Head& head, Time now);
  void Fail(const Head& head, Time fits_from, Time now);
  bool MayFitWhereTouched(const Head& head, Time now);
  SearchOutcome FindAnywhere(const Head& head);
  std::optional<Plan> FindWhereTouched(const Head& head);
  void WakeParked(HostIndex changed, const Turn& now_at, Time now);

  RoomIndex room_;
  std::unique_ptr<PreemptionSearch> search_;
  WaitingKinds kinds_;
  TouchLog touches_;

  // Of a pass.
  std::vector<Head> heap_;
  std::vector<Head> parked_;          // Stuck kinds, at the next to be tried if anything changes.
  std::vector<Knowledge> knowledge_;  // By kind.
};

WaitingEntry KindScheduler::WaitingEntryOf(RequestIndex request) const {
  return {search_->WaitingKeyOf(request), requests()[request].order, request};
}

void KindScheduler::HostIsUp(HostIndex host) {
  search_->AddHost(host);
  RoomChanged(host);
}

void KindScheduler::HostIsDown(HostIndex host) { room_.Remove(host); }

void KindScheduler::RoomChanged(HostIndex index) {
  const HostState& state = host(index);
  if (!state.up) return;
  if (!Resources().FitsIn(state.free)) return room_.Remove(index);  // It holds more than it may.
  room_.Put(index, state.capacity, state.free);
  touches_.Touch(index);
}

void KindScheduler::ConstraintChanged(std::uint32_t constraint) {
  for (const std::uint32_t kind : kinds_.kinds()) {
    if (kinds_[kind].want.constraint == constraint) kinds_[kind].hopeless.known = false;
  }
}

void KindScheduler::Waits(RequestIndex request, Time) {
  kinds_.Insert(requests()[request].want, WaitingEntryOf(request));
}

void KindScheduler::WaitsNoMore(RequestIndex request) {
  kinds_.Erase(requests()[request].want, WaitingEntryOf(request));
}

void KindScheduler::Runs(RequestIndex request, Time) {
  search_->Runs(request);
  touches_.Touch(requests()[request].host);
}

void KindScheduler::Leaves(RequestIndex request) {
  search_->Leaves(request);
  touches_.Touch(requests()[request].host);
}

KindScheduler::Head KindScheduler::HeadAt(std::uint32_t kind, Waiting at, Time now) const {
  return {kind, at, {search_->TurnOf(kinds_[kind].want, at->key, now), at->order}};
}

void KindScheduler::SearchFor(const Head& head, Time now) {
  search_->Begin({&kinds_[head.kind].want, head.turn.value}, now);
}

void KindScheduler::BeginPass(Time now) {
  kinds_.DropEmpty();
  heap_.clear();
  parked_.clear();
  for (const std::uint32_t kind : kinds_.kinds()) {
    if (knowledge_.size() <= kind) knowledge_.resize(kind + 1);
    const Head head = HeadAt(kind, kinds_[kind].waiting.begin(), now);
    const Hopeless& hopeless = kinds_[kind].hopeless;
    Knowledge& knowledge = knowledge_[kind];
    knowledge.stuck = hopeless.known && hopeless.since >= touches_.begin() &&
                      hopeless.key <= head.at->key && now < hopeless.until;
    const bool parks = knowledge.stuck && !MayFitWhereTouched(head, now);
    knowledge.stuck_since = touches_.end();
    (parks ? parked_ : heap_).push_back(head);
  }
  std::ranges::make_heap(heap_, LaterTurn());
}

void KindScheduler::Push(const Head& head) {
  heap_.push_back(head);
  std::ranges::push_heap(heap_, LaterTurn());
}

void KindScheduler::Decide(Time now) {
  BeginPass(now);
  const std::uint64_t began = touches_.end();
  while (!heap_.empty()) {
    std::ranges::pop_heap(heap_, LaterTurn());
    const Head head = heap_.back();
    heap_.pop_back();
    Try(head, now);
  }
  // Whoever still waits has looked at the hosts touched before.
  touches_.ForgetUntil(began);
}

void KindScheduler::Try(const Head& head, Time now) {
  const Waiting next = std::next(head.at);
  const bool more = next != kinds_[head.kind].waiting.end();
  SearchFor(head, now);
  const SearchOutcome found = knowledge_[head.kind].stuck
                                  ? SearchOutcome{FindWhereTouched(head), kNeverFits}
                                  : FindAnywhere(head);
  if (!found.plan) {
    Fail(head, found.fits_from, now);
    if (more) parked_.push_back(HeadAt(head.kind, next, now));
    return;
  }
  // Preemption may free more than is taken, and takes those off that others must not run beside.
  const Plan& plan = *found.plan;
  const bool makes_room =
      !plan.victims.empty() || search_->MayYieldAtOnce({&kinds_[head.kind].want, head.turn.value});
  Place(head.at->request, plan.host, plan.victims, now);
  if (more) Push(HeadAt(head.kind, next, now));
  if (makes_room) WakeParked(plan.host, head.turn, now);
}

// Keeps what the search told for the passes to come, if it is about the first of the kind.
void KindScheduler::Fail(const Head& head, Time fits_from, Time now) {
  Knowledge& knowledge = knowledge_[head.kind];
  WaitingKind& kind = kinds_[head.kind];
  if (knowledge.stuck) {
    if (head.at == kind.waiting.begin()) MayFitWhereTouched(head, now);
  } else {
    kind.hopeless = {true, head.at->key, fits_from, search_->LeastBy(fits_from), touches_.end(),
                     {}};
  }
  knowledge.stuck = true;
  knowledge.stuck_since = touches_.end();
}

// Makes what is known of the kind hold for the hosts touched since too, but for those where its
// first may fit now; whether there is one.
bool KindScheduler::MayFitWhereTouched(const Head& head, Time now) {
  const Want& want = kinds_[head.kind].want;
  Hopeless& hopeless = kinds_[head.kind].hopeless;
  bool begun = false;
  const auto may_fit_now = [&](HostIndex host) {
    if (!search_->MayFit(host, want, hopeless.least) || !MayRun(want, host)) return false;
    if (!std::exchange(begun, true)) SearchFor(head, now);
    const Time from = search_->FitsFrom(host, hopeless.until);
    if (from <= now) return true;
    hopeless.until = std::min(hopeless.until, from);
    return false;
  };
  std::erase_if(hopeless.but_for, std::not_fn(may_fit_now));
  touches_.EachSince(hopeless.since, [&](HostIndex host) {
    if (may_fit_now(host)) hopeless.but_for.push_back(host);
  });
  hopeless.key = head.at->key;
  hopeless.since = touches_.end();
  return !hopeless.but_for.empty();
}

SearchOutcome KindScheduler::FindAnywhere(const Head& head) {
  const Want& want = kinds_[head.kind].want;
  const auto may_run = [&](HostIndex host) { return MayRun(want, host); };
  if (const std::optional<HostIndex> host = room_.Best(want.demand, may_run))
    return {Plan{.host = *host, .victims = {}, .cost = CostTuple(ranks()), .shortfall = 0}};
  return search_->Best(may_run);
}

std::optional<Plan> KindScheduler::FindWhereTouched(const Head& head) {
  const Want& want = kinds_[head.kind].want;
  const Hopeless& hopeless = kinds_[head.kind].hopeless;
  std::optional<Plan> best;
  const auto examine = [&](HostIndex host) {
    if (!search_->MayFit(host, want, hopeless.least) || !MayRun(want, host)) return;
    std::optional<Plan> plan = search_->Examine(host, best ? &*best : nullptr);
    if (plan && (!best || plan->IsBetterThan(*best))) best = std::move(plan);
  };
  std::ranges::for_each(hopeless.but_for, examine);
  touches_.EachSince(knowledge_[head.kind].stuck_since, examine);
  return best;
}

std::optional<Offer> KindScheduler::FindFor(RequestIndex request, HostIndex home, Time now) {
  const Want& want = requests()[request].want;
  search_->Begin({&want, search_->TurnOf(want, search_->WaitingKeyOf(request), now)}, now);
  const auto may_run = [&](HostIndex host) { return MayRun(want, host); };
  if (const std::optional<HostIndex> host = room_.Best(want.demand, may_run)) {
    return Offer{*host, {}};
  }
  std::optional<Plan> plan = search_->Examine(home, nullptr);
  if (!plan) plan = search_->Best(may_run).plan;
  if (!plan) return std::nullopt;
  return Offer{plan->host, std::move(plan->victims)};
}

void KindScheduler::WakeParked(HostIndex changed, const Turn& now_at, Time now) {
  std::erase_if(parked_, [&](Head& head) {
    while (head.turn < now_at) {
      const Waiting next = std::next(head.at);
      if (next == kinds_[head.kind].waiting.end()) return true;
      head = HeadAt(head.kind, next, now);
    }
    const WaitingKind& kind = kinds_[head.kind];
    if (!search_->MayFit(changed, kind.want, kind.hopeless.least)) return false;
    SearchFor(head, now);
    if (search_->FitsFrom(changed, now + Duration(1)) > now) return false;
    Push(head);
    return true;
  });
}

}  // namespace

std::unique_ptr<Scheduler> NewQosScheduler(SchedulerOptions options, const HostFilter& filter) {
  return std::make_unique<KindScheduler>(
      std::move(options), filter,
      [](const Scheduler& scheduler) -> std::unique_ptr<PreemptionSearch> {
        return std::make_unique<QosSearch>(scheduler);
      });
}

std::unique_ptr<Scheduler> NewPriorityScheduler(SchedulerOptions options,
                                                const HostFilter& filter) {
  return std::make_unique<KindScheduler>(
      std::move(options), filter,
      [](const Scheduler& scheduler) -> std::unique_ptr<PreemptionSearch> {
        return std::make_unique<PrioritySearch>(scheduler);
      });
}

}  // namespace berth
