#include "qos/kind_scheduler.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "qos/best_plans.h"
#include "qos/kept_plans.h"
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
      : Scheduler(std::move(options), filter),
        search_(new_search(*this)),
        kinds_(std::max(classes().size(), ranks())) {}

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
  struct AwaitedLonger {
    bool operator()(const AwaitedHost& a, const AwaitedHost& b) const { return b.from < a.from; }
  };
  // What a pass knows of a kind.
  struct Knowledge {
    bool stuck = false;              // It finds no place, but for
    std::vector<HostIndex> touched;  // hosts that were touched since, where it may fit.
    std::optional<Head> parked;      // The next to be tried if anything changes.
    KeptPlans kept;
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
  void Fail(const Head& head, const SearchOutcome& found);
  void NoteTouched();
  bool MayFitSomewhere(const Head& head, Time now);
  SearchOutcome FindAnywhere(const Head& head);
  SearchOutcome SearchForAll(const Head& head, const HostPredicate& may_run);
  std::optional<Plan> NextOfKept(const Head& head);
  std::size_t AsUrgent(const Head& head) const;
  SearchOutcome FindWhereTouched(const Head& head);
  void WakeParked(HostIndex changed, const Turn& now_at, Time now);

  RoomIndex room_;
  std::unique_ptr<PreemptionSearch> search_;
  WaitingKinds kinds_;
  TouchLog touches_;

  // Of a pass.
  std::vector<Head> heap_;
  std::vector<Knowledge> knowledge_;  // By kind.
  HostRoom room_on_;                  // Of the host asked about.
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
  constexpr std::size_t kFetchedAhead = 8;
  knowledge_.resize(kinds_.slots());
  NoteTouched();
  const std::span<const std::uint32_t> all = kinds_.kinds();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint32_t kind = all[i];
    // Their first ones lie far apart: they come nearer while others are looked at.
    if (i + kFetchedAhead < all.size())
      __builtin_prefetch(&*kinds_[all[i + kFetchedAhead]].waiting.begin());
    const Head head = HeadAt(kind, kinds_[kind].waiting.begin(), now);
    const Hopeless& hopeless = kinds_[kind].hopeless;
    Knowledge& knowledge = knowledge_[kind];
    knowledge.stuck = hopeless.known && hopeless.since >= touches_.begin() &&
                      hopeless.key <= head.at->key && now < hopeless.until;
    const bool parks = knowledge.stuck && !MayFitSomewhere(head, now);
    knowledge.touched.clear();
    knowledge.kept.Clear();
    knowledge.parked.reset();
    if (parks) {
      knowledge.parked = head;
    } else {
      heap_.push_back(head);
    }
  }
  std::ranges::make_heap(heap_, LaterTurn());
}

void KindScheduler::NoteTouched() {
  for (const std::uint32_t kind : kinds_.kinds()) knowledge_[kind].touched.clear();
  touches_.EachSince(touches_.begin(), [&](HostIndex host) {
    search_->DescribeRoom(host, room_on_);
    for (const std::uint32_t kind : kinds_.HopelessThatMayFit(room_on_)) {
      if (touches_.IsTouchedSince(host, kinds_[kind].hopeless.since))
        knowledge_[kind].touched.push_back(host);
    }
  });
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
  const bool stuck = knowledge_[head.kind].stuck;
  const SearchOutcome found = stuck ? FindWhereTouched(head) : FindAnywhere(head);
  if (found.plans.empty()) {
    Fail(head, found);
    if (more) knowledge_[head.kind].parked = HeadAt(head.kind, next, now);
    return;
  }
  // Preemption may free more than is taken, and takes those off that others must not run beside.
  const Plan& plan = found.plans.front();
  const bool makes_room =
      !plan.victims.empty() || search_->MayYieldAtOnce({&kinds_[head.kind].want, head.turn.value});
  Place(head.at->request, plan.host, plan.victims, now);
  if (more) Push(HeadAt(head.kind, next, now));
  if (makes_room) WakeParked(plan.host, head.turn, now);
}

// Keeps what the search told for the passes to come.
void KindScheduler::Fail(const Head& head, const SearchOutcome& found) {
  Knowledge& knowledge = knowledge_[head.kind];
  if (!knowledge.stuck) {
    Hopeless hopeless{.known = true,
                      .key = head.at->key,
                      .until = found.until,
                      .least = search_->LeastBy(found.until),
                      .since = touches_.end()};
    for (const FitsLater& later : found.later)
      hopeless.awaited.push_back({later.from, later.host, touches_.end()});
    std::ranges::make_heap(hopeless.awaited, AwaitedLonger());
    kinds_.LoseHope(head.kind, std::move(hopeless));
  }
  knowledge.stuck = true;
  knowledge.touched.clear();
}

// Makes what is known of the kind hold now, and for the hosts touched since too, but for those
// where its first may fit; whether there is one.
bool KindScheduler::MayFitSomewhere(const Head& head, Time now) {
  const Want& want = kinds_[head.kind].want;
  Hopeless& hopeless = kinds_[head.kind].hopeless;
  std::vector<AwaitedHost>& awaited = hopeless.awaited;
  bool begun = false;
  const auto may_fit_now = [&](HostIndex host) {
    if (!search_->MayFit(host, want, hopeless.least) || !MayRun(want, host)) return false;
    if (!std::exchange(begun, true)) SearchFor(head, now);
    const Time from = search_->FitsFrom(host, hopeless.until);
    if (from <= now) return true;
    if (from < hopeless.until) {
      awaited.push_back({from, host, touches_.end()});
      std::ranges::push_heap(awaited, AwaitedLonger());
    }
    return false;
  };
  std::erase_if(hopeless.but_for, [&](HostIndex host) {
    return touches_.IsTouchedSince(host, hopeless.since) || !may_fit_now(host);
  });
  while (!awaited.empty() && awaited.front().from <= now) {
    std::ranges::pop_heap(awaited, AwaitedLonger());
    const AwaitedHost due = awaited.back();
    awaited.pop_back();
    if (!touches_.IsTouchedSince(due.host, due.since) && may_fit_now(due.host))
      hopeless.but_for.push_back(due.host);
  }
  std::ranges::copy_if(knowledge_[head.kind].touched, std::back_inserter(hopeless.but_for),
                       may_fit_now);
  hopeless.key = head.at->key;
  hopeless.since = touches_.end();
  return !hopeless.but_for.empty();
}

SearchOutcome KindScheduler::FindAnywhere(const Head& head) {
  const Want& want = kinds_[head.kind].want;
  const auto may_run = [&](HostIndex host) { return MayRun(want, host); };
  if (const std::optional<HostIndex> host = room_.Best(want.demand, may_run))
    return {{Plan{.host = *host, .victims = {}, .cost = CostTuple(ranks()), .shortfall = 0}}};
  if (std::optional<Plan> plan = NextOfKept(head)) return {{*std::move(plan)}};
  return SearchForAll(head, may_run);
}

// How many of the kind, from this one on, have as much leeway; not counting too far.
std::size_t KindScheduler::AsUrgent(const Head& head) const {
  constexpr std::size_t kMost = 16;
  const auto end = kinds_[head.kind].waiting.end();
  std::size_t count = 0;
  for (Waiting at = head.at; at != end && at->key == head.at->key && count < kMost; ++at) ++count;
  return count;
}

// Searches for the one at hand, and for others of its kind that come next.
SearchOutcome KindScheduler::SearchForAll(const Head& head, const HostPredicate& may_run) {
  const std::size_t wanted = AsUrgent(head);
  SearchOutcome found = search_->Best(may_run, wanted);
  if (wanted > 1) {
    const bool all = found.plans.size() < wanted;
    knowledge_[head.kind].kept.Keep(head.at->key, found.plans, all, touches_.end());
  }
  return found;
}

std::optional<Plan> KindScheduler::NextOfKept(const Head& head) {
  KeptPlans& kept = knowledge_[head.kind].kept;
  if (!kept.AnyFor(head.at->key)) return std::nullopt;
  const Want& want = kinds_[head.kind].want;
  touches_.EachSince(kept.since(), [&](HostIndex host) {
    kept.Renew(host, MayRun(want, host) ? search_->Examine(host, kept.bar()) : std::nullopt);
  });
  kept.SetSince(touches_.end());
  return kept.Best();
}

SearchOutcome KindScheduler::FindWhereTouched(const Head& head) {
  const Want& want = kinds_[head.kind].want;
  const Hopeless& hopeless = kinds_[head.kind].hopeless;
  BestPlans best(1);
  const auto examine = [&](HostIndex host) {
    if (search_->MayFit(host, want, hopeless.least) && MayRun(want, host))
      best.Keep(search_->Examine(host, best.bar()));
  };
  std::ranges::for_each(hopeless.but_for, examine);
  std::ranges::for_each(knowledge_[head.kind].touched, examine);
  return {std::move(best).Take()};
}

std::optional<Offer> KindScheduler::FindFor(RequestIndex request, HostIndex home, Time now) {
  const Want& want = requests()[request].want;
  search_->Begin({&want, search_->TurnOf(want, search_->WaitingKeyOf(request), now)}, now);
  const auto may_run = [&](HostIndex host) { return MayRun(want, host); };
  if (const std::optional<HostIndex> host = room_.Best(want.demand, may_run)) {
    return Offer{*host, {}};
  }
  if (std::optional<Plan> plan = search_->Examine(home, nullptr))
    return Offer{home, std::move(plan->victims)};
  SearchOutcome found = search_->Best(may_run, 1);
  if (found.plans.empty()) return std::nullopt;
  return Offer{found.plans.front().host, std::move(found.plans.front().victims)};
}

void KindScheduler::WakeParked(HostIndex changed, const Turn& now_at, Time now) {
  search_->DescribeRoom(changed, room_on_);
  for (const std::uint32_t kind : kinds_.HopelessThatMayFit(room_on_)) {
    knowledge_[kind].touched.push_back(changed);
    std::optional<Head>& parked = knowledge_[kind].parked;
    while (parked && parked->turn < now_at) {
      const Waiting next = std::next(parked->at);
      const bool more = next != kinds_[kind].waiting.end();
      parked = more ? std::optional(HeadAt(kind, next, now)) : std::nullopt;
    }
    if (!parked) continue;
    SearchFor(*parked, now);
    if (search_->FitsFrom(changed, now + Duration(1)) > now) continue;
    Push(*parked);
    parked.reset();
  }
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
