#include "qos/kind_scheduler.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "qos/priority_search.h"
#include "qos/qos_search.h"
#include "qos/room_index.h"
#include "qos/waiting_kinds.h"

namespace berth {
namespace {

using NewSearch = std::unique_ptr<PreemptionSearch> (*)(const Scheduler&);

class KindScheduler final : public Scheduler {
 public:
  KindScheduler(SchedulerOptions options, const HostFilter& filter, NewSearch new_search)
      : Scheduler(std::move(options), filter), search_(new_search(*this)) {}

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
    std::size_t stuck_until = 0;    // hosts that changed from here on.
    bool no_room = false;           // Not without preemption, but for
    std::size_t no_room_until = 0;  // hosts that changed from here on.
  };

  void Decide(Time now) override;
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
  void EndPass();
  void Push(const Head& head);
  void Try(const Head& head, Time now);
  std::optional<Plan> FindAnywhere(const Head& head);
  std::optional<Plan> FindAmongChanged(const Head& head);
  bool AnyHasRoom(const Want& want, std::span<const HostIndex> hosts) const;
  void WakeParked(HostIndex changed, const Turn& now_at, Time now);

  RoomIndex room_;
  std::unique_ptr<PreemptionSearch> search_;
  WaitingKinds kinds_;
  std::vector<HostIndex> freed_;  // Hosts that may have more room than when the last pass ended.

  // Of a pass.
  std::vector<Head> heap_;
  std::vector<Head> parked_;          // Stuck kinds, at the next to be tried if anything changes.
  std::vector<Knowledge> knowledge_;  // By kind.
  std::vector<HostIndex> changed_;    // Hosts where the pass may have made room for others.
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
  freed_.push_back(index);
}

void KindScheduler::Waits(RequestIndex request, Time) {
  kinds_.Insert(requests()[request].want, WaitingEntryOf(request));
}

void KindScheduler::WaitsNoMore(RequestIndex request) {
  kinds_.Erase(requests()[request].want, WaitingEntryOf(request));
}

void KindScheduler::Runs(RequestIndex request, Time) { search_->Runs(request); }

void KindScheduler::Leaves(RequestIndex request) { search_->Leaves(request); }

KindScheduler::Head KindScheduler::HeadAt(std::uint32_t kind, Waiting at, Time now) const {
  return {kind, at, {search_->TurnOf(kinds_[kind].want, at->key, now), at->order}};
}

void KindScheduler::SearchFor(const Head& head, Time now) {
  search_->Begin({&kinds_[head.kind].want, head.turn.value}, now);
}

bool KindScheduler::AnyHasRoom(const Want& want, std::span<const HostIndex> hosts) const {
  // Beyond that, the index of all hosts answers sooner.
  constexpr std::size_t kAskedMax = 256;
  if (hosts.size() > kAskedMax) return true;
  return std::ranges::any_of(hosts, [&](HostIndex index) {
    return want.demand.FitsIn(host(index).free) && MayRun(want, index);
  });
}

void KindScheduler::BeginPass(Time now) {
  kinds_.DropEmpty();
  heap_.clear();
  parked_.clear();
  changed_.clear();
  for (const std::uint32_t kind : kinds_.kinds()) {
    if (knowledge_.size() <= kind) knowledge_.resize(kind + 1);
    Knowledge& knowledge = knowledge_[kind];
    knowledge = {};
    knowledge.no_room = kinds_[kind].no_room && !AnyHasRoom(kinds_[kind].want, freed_);
    const Head head = HeadAt(kind, kinds_[kind].waiting.begin(), now);
    SearchFor(head, now);
    knowledge.stuck = knowledge.no_room && !search_->AnyVictim();
    (knowledge.stuck ? parked_ : heap_).push_back(head);
  }
  std::ranges::make_heap(heap_, LaterTurn());
}

// Whoever still waits found no room at its turn; hosts that changed may have some by now.
void KindScheduler::EndPass() {
  for (const std::uint32_t kind : kinds_.kinds()) kinds_[kind].no_room = knowledge_[kind].stuck;
  freed_ = changed_;
}

void KindScheduler::Push(const Head& head) {
  heap_.push_back(head);
  std::ranges::push_heap(heap_, LaterTurn());
}

void KindScheduler::Decide(Time now) {
  BeginPass(now);
  while (!heap_.empty()) {
    std::ranges::pop_heap(heap_, LaterTurn());
    const Head head = heap_.back();
    heap_.pop_back();
    Try(head, now);
  }
  EndPass();
}

void KindScheduler::Try(const Head& head, Time now) {
  const Waiting next = std::next(head.at);
  const bool more = next != kinds_[head.kind].waiting.end();
  Knowledge& knowledge = knowledge_[head.kind];
  SearchFor(head, now);
  const std::optional<Plan> plan = knowledge.stuck ? FindAmongChanged(head) : FindAnywhere(head);
  if (!plan) {
    knowledge.stuck = true;
    knowledge.stuck_until = changed_.size();
    if (more) parked_.push_back(HeadAt(head.kind, next, now));
    return;
  }
  // Preemption may free more than is taken, and takes those off that others must not run beside.
  const bool makes_room =
      !plan->victims.empty() || search_->MayYieldAtOnce({&kinds_[head.kind].want, head.turn.value});
  Place(head.at->request, plan->host, plan->victims, now);
  if (more) Push(HeadAt(head.kind, next, now));
  if (!makes_room) return;
  changed_.push_back(plan->host);
  WakeParked(plan->host, head.turn, now);
}

std::optional<Plan> KindScheduler::FindAnywhere(const Head& head) {
  const Want& want = kinds_[head.kind].want;
  Knowledge& knowledge = knowledge_[head.kind];
  const auto may_run = [&](HostIndex host) { return MayRun(want, host); };
  const auto fresh = std::span(changed_).subspan(knowledge.no_room_until);
  if (!knowledge.no_room || AnyHasRoom(want, fresh)) {
    if (const std::optional<HostIndex> host = room_.Best(want.demand, may_run))
      return Plan{.host = *host, .victims = {}, .cost = CostTuple(ranks()), .shortfall = 0};
    knowledge.no_room = true;
  }
  knowledge.no_room_until = changed_.size();
  return search_->Best(may_run);
}

std::optional<Plan> KindScheduler::FindAmongChanged(const Head& head) {
  std::optional<Plan> best;
  for (std::size_t i = knowledge_[head.kind].stuck_until; i < changed_.size(); ++i) {
    if (!search_->MayFit(changed_[i]) || !MayRun(kinds_[head.kind].want, changed_[i])) continue;
    std::optional<Plan> plan = search_->Examine(changed_[i], best ? &*best : nullptr);
    if (plan && (!best || plan->IsBetterThan(*best))) best = std::move(plan);
  }
  return best;
}

void KindScheduler::WakeParked(HostIndex changed, const Turn& now_at, Time now) {
  std::erase_if(parked_, [&](Head& head) {
    while (head.turn < now_at) {
      const Waiting next = std::next(head.at);
      if (next == kinds_[head.kind].waiting.end()) return true;
      head = HeadAt(head.kind, next, now);
    }
    SearchFor(head, now);
    if (!search_->MayFit(changed)) return false;
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
