#include "qos/qos_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "qos/allocation_score.h"
#include "qos/preemption.h"

namespace berth {
namespace {

// How far a search that finds nothing looks ahead: at first, and at most.
constexpr Duration kHorizonLeast = std::chrono::seconds(15);
constexpr Duration kHorizonMost = std::chrono::minutes(2);
// How many hosts are walked, from the cheapest on, before all are asked at once.
constexpr std::size_t kWalkedMax = 16;
// On how many it is tried, where the cheapest do not do, before those that cost more are left out.
constexpr std::size_t kTriedMax = 24;
constexpr std::size_t kFetchedAhead = 12;
// Leeways beyond that are as good as infinite.
constexpr double kMicrosMax = 1e18;

}  // namespace

Wide QosSearch::WaitingKeyOf(RequestIndex request) const {
  const Time since = scheduler_.requests()[request].since;
  return WaitingKey(scheduler_.LeewayOf(request, since), since);
}

Leeway QosSearch::TurnOf(const Want& want, Wide key, Time now) const {
  return FromWaitingKey(key, scheduler_.TermsOf(want).target_ppm, now);
}

RunningEntry QosSearch::EntryOf(RequestIndex request) const {
  const RequestAccount& account = scheduler_.requests()[request];
  const ClassTerms& terms = scheduler_.TermsOf(account.want);
  const Duration spared = account.UntilUnder(terms.overhead_cap_ppm, account.since);
  return {
      .key = RunningKey(scheduler_.LeewayOf(request, account.since), account.since),
      .order = account.order,
      .request = request,
      .start_unknown = account.start_unknown,
      .demand = account.want.demand,
      .spared_until = spared < Time::max() - account.since ? account.since + spared : Time::max()};
}

void QosSearch::Runs(RequestIndex request) {
  const RequestAccount& account = scheduler_.requests()[request];
  victims_.Insert(account.host, account.want.klass, EntryOf(request));
  reach_.Touch(account.host);
}

void QosSearch::Leaves(RequestIndex request) {
  const RequestAccount& account = scheduler_.requests()[request];
  victims_.Erase(account.host, account.want.klass, EntryOf(request));
  reach_.Touch(account.host);
}

void QosSearch::Begin(const Taker& taker, Time now) {
  taker_ = taker;
  now_ = now;
  gates_.clear();
  const ClassTerms& terms = scheduler_.TermsOf(*taker.want);
  for (const ClassTerms& victim : scheduler_.classes())
    gates_.emplace_back(terms, taker.turn, victim, now);
  least_ = LeastBy(now);
  at_risk_from_ = kNeverFits;
  if (const Wide above = taker.turn.Minus(terms.margin).scaled; above >= 0)
    at_risk_from_ = now + Duration(static_cast<std::int64_t>(above / terms.target_ppm) + 1);
}

std::vector<Wide> QosSearch::LeastBy(Time time) const {
  std::vector<Wide> least;
  for (const VictimGate& gate : gates_) least.push_back(gate.LeastAfter(time - now_));
  return least;
}

bool QosSearch::MayFit(HostIndex host, const Want& want, std::span<const Wide> least) const {
  const Resources& free = scheduler_.host(host).free;
  std::int64_t cpu = free[Resource::kCpu];
  std::int64_t memory = free[Resource::kMemory];
  const std::span<const ClassInShort> classes = victims_.InShort(host);
  for (std::size_t klass = 0; klass < least.size(); ++klass) {
    // Without branches: nobody can foretell how they would go.
    const std::int64_t counts = -std::int64_t{classes[klass].first >= least[klass]};
    cpu += counts & classes[klass].cpu;
    memory += counts & classes[klass].memory;
  }
  return want.demand[Resource::kCpu] <= cpu && want.demand[Resource::kMemory] <= memory;
}

void QosSearch::DescribeRoom(HostIndex host, HostRoom& room) const {
  room.cpu = scheduler_.host(host).free[Resource::kCpu];
  room.memory = scheduler_.host(host).free[Resource::kMemory];
  room.parts.clear();
  for (const ClassInShort& in_short : victims_.InShort(host))
    room.parts.push_back({in_short.first, in_short.cpu, in_short.memory});
}

Duration QosSearch::UntilYields(const RunningEntry& entry, std::size_t klass) const {
  const Duration until = gates_[klass].UntilAdmitted(entry.key);
  if (klass != taker_.want->klass) return until;
  const bool not_before_risk = entry.start_unknown && at_risk_from_ != kNeverFits;
  return std::max(
      {until, entry.spared_until - now_, not_before_risk ? at_risk_from_ - now_ : Duration()});
}

Time QosSearch::FitsFrom(HostIndex host, Time horizon) {
  const Duration later = std::min(horizon, at_risk_from_) - now_;
  const Time otherwise = at_risk_from_ < horizon ? at_risk_from_ : kNeverFits;
  yields_after_.clear();
  for (std::size_t klass = 0; klass < gates_.size(); ++klass) {
    const Wide least = gates_[klass].LeastAfter(later);
    if (victims_.Top(host, klass) < least) continue;
    for (const RunningEntry& entry : victims_.Running(host, klass)) {
      if (entry.key < least) break;
      yields_after_.emplace_back(UntilYields(entry, klass), &entry);
    }
  }
  std::ranges::sort(yields_after_, {}, &YieldsAfter::first);
  Resources room = scheduler_.host(host).free;
  Duration fits_after{};
  for (const auto& [after, entry] : yields_after_) {
    if (taker_.want->demand.FitsIn(room)) break;
    room += entry->demand;
    fits_after = after;
  }
  if (!taker_.want->demand.FitsIn(room) || fits_after >= later) return otherwise;
  return now_ + fits_after;
}

bool QosSearch::Yields(const RunningEntry& entry, std::size_t klass) const {
  if (!gates_[klass].Admits(entry.key)) return false;
  if (klass != taker_.want->klass) return true;
  if (now_ < entry.spared_until) return false;
  return !entry.start_unknown ||
         MayDisturbStart(scheduler_.classes()[klass], taker_.turn, LeewayOf(entry.key, klass));
}

// Whether all who might yield there now would make room.
bool QosSearch::AllMakeRoom(HostIndex host) const {
  Resources room = scheduler_.host(host).free;
  for (std::size_t klass = 0; klass < gates_.size(); ++klass) {
    if (victims_.Top(host, klass) < least_[klass]) continue;
    for (const RunningEntry& entry : victims_.Running(host, klass)) {
      if (entry.key < least_[klass]) break;
      room += entry.demand;
    }
  }
  return taker_.want->demand.FitsIn(room);
}

void QosSearch::SetNext(HostIndex host, std::size_t klass, std::size_t position) {
  const std::span<const RunningEntry> running = victims_.Running(host, klass);
  Next& next = next_[klass];
  next.position = position;
  next.entry = position < running.size() && running[position].key >= least_[klass]
                   ? &running[position]
                   : nullptr;
  if (next.entry != nullptr) next.leeway_micros = LeewayOf(next.entry->key, klass).Micros();
}

// Whether one yields before the other: it has more leeway or, with as much, came later.
bool QosSearch::GoesBefore(std::size_t klass, std::size_t other) const {
  const Next& a = next_[klass];
  const Next& b = next_[other];
  // Far apart, rounded numbers tell as much.
  const double apart = a.leeway_micros - b.leeway_micros;
  if (std::abs(apart) > 1 + 1e-9 * std::abs(a.leeway_micros)) return apart > 0;
  const auto order = LeewayOf(a.entry->key, klass) <=> LeewayOf(b.entry->key, other);
  return order != 0 ? order > 0 : a.entry->order > b.entry->order;
}

std::optional<std::size_t> QosSearch::NextClass() const {
  std::optional<std::size_t> best;
  for (std::size_t klass = 0; klass < next_.size(); ++klass) {
    if (next_[klass].entry == nullptr) continue;
    if (!best || GoesBefore(klass, *best)) best = klass;
  }
  return best;
}

std::optional<Plan> QosSearch::Examine(HostIndex host, const Plan* best) {
  // With another to beat, most are given up after a victim or two.
  if (best == nullptr && !AllMakeRoom(host)) return std::nullopt;
  const HostState& state = scheduler_.host(host);
  const Resources& demand = taker_.want->demand;
  Plan plan{.host = host, .victims = {}, .cost = CostTuple(scheduler_.ranks()), .shortfall = 0};
  Resources free = state.free;
  next_.resize(gates_.size());
  for (std::size_t klass = 0; klass < next_.size(); ++klass) SetNext(host, klass, 0);
  while (!demand.FitsIn(free)) {
    const std::optional<std::size_t> klass = NextClass();
    if (!klass) return std::nullopt;
    const RunningEntry& entry = *next_[*klass].entry;
    SetNext(host, *klass, next_[*klass].position + 1);
    if (!Yields(entry, *klass)) continue;
    const Leeway leeway = LeewayOf(entry.key, *klass);
    plan.victims.push_back({entry.request, leeway});
    plan.cost.Add(scheduler_.classes()[*klass], leeway);
    if (best != nullptr && best->cost < plan.cost) return std::nullopt;
    free += entry.demand;
  }
  plan.shortfall = ScoreShortfall(FillOf(state.capacity - free + demand, state.capacity));
  return plan;
}

std::vector<QosSearch::Cursor> QosSearch::OpenCursors() const {
  std::vector<Cursor> cursors;
  for (std::size_t klass = 0; klass < gates_.size(); ++klass) {
    Cursor cursor{klass, victims_.Tops(klass).begin(), CostTuple(scheduler_.ranks())};
    if (SetBound(cursor)) cursors.push_back(cursor);
  }
  return cursors;
}

// False when the class has no host left that might matter.
bool QosSearch::SetBound(Cursor& cursor) const {
  if (cursor.at == victims_.Tops(cursor.klass).end()) return false;
  if (cursor.at->key < least_[cursor.klass]) return false;
  cursor.bound = CostTuple(scheduler_.ranks());
  cursor.bound.Add(scheduler_.classes()[cursor.klass], LeewayOf(cursor.at->key, cursor.klass));
  return true;
}

// Goes on until no other can be cheaper, or it saw enough hosts; whether the former.
bool QosSearch::WalkFromCheapest(const HostPredicate& may_run, BestPlans& best) {
  std::size_t seen = 0;
  for (std::vector<Cursor> cursors = OpenCursors(); !cursors.empty();) {
    const auto next = std::ranges::min_element(
        cursors, [](const Cursor& a, const Cursor& b) { return a.bound < b.bound; });
    if (best.full() && best.bar()->cost < next->bound) return true;
    if (seen++ == kWalkedMax) return false;
    const HostIndex host = next->at->host;
    ++next->at;
    if (!SetBound(*next)) cursors.erase(next);
    if (std::exchange(seen_in_[ToNumber(host)], search_) == search_) continue;
    if (MayFit(host, *taker_.want, least_) && may_run(host)) best.Keep(Examine(host, best.bar()));
  }
  return true;
}

// By class: so many victims of it with smaller keys cost more than that.
std::vector<Wide> QosSearch::LeastForCost(const CostTuple& cost, double victims) const {
  std::vector<Wide> least = least_;
  for (std::size_t klass = 0; klass < gates_.size(); ++klass) {
    const ClassTerms& terms = scheduler_.classes()[klass];
    const double above = cost.MostAboveMargin(terms.rank, victims);
    if (std::abs(above) > kMicrosMax) continue;
    // Rounded so that nobody is left out.
    const auto micros = static_cast<std::int64_t>(above - std::abs(above) * 1e-9) - 1;
    const Wide scaled = (Wide{terms.margin.count()} + micros) * terms.target_ppm;
    least[klass] = std::max(least[klass], RunningKey({scaled, terms.target_ppm}, now_));
  }
  return least;
}

// So that what is asked of all of many hosts is near when they are asked.
void QosSearch::Fetch(HostIndex host) const {
  __builtin_prefetch(&scheduler_.host(host).free);
  for (const ClassInShort& in_short : victims_.InShort(host)) __builtin_prefetch(&in_short);
}

// Looks where it may cost no more than what there is.
void QosSearch::Improve(const HostPredicate& may_run, BestPlans& best) {
  std::vector<Wide> one = LeastForCost(best.bar()->cost, 1);
  std::vector<Wide> two = LeastForCost(best.bar()->cost, 2);
  // Whoever has most leeway of a class yields first, unless it does not yield at all: one of each
  // class must do, or more where two would not cost too much.
  const Resources& demand = taker_.want->demand;
  const auto may_do = [&](HostIndex host) {
    const Resources& free = scheduler_.host(host).free;
    std::int64_t cpu = free[Resource::kCpu];
    std::int64_t memory = free[Resource::kMemory];
    const std::span<const ClassInShort> classes = victims_.InShort(host);
    for (std::size_t klass = 0; klass < one.size(); ++klass) {
      const ClassInShort& in_short = classes[klass];
      if (in_short.first < one[klass]) continue;
      const bool first_only = (in_short.first < two[klass] || in_short.second < one[klass]) &&
                              Yields(victims_.Running(host, klass).front(), klass);
      cpu += first_only ? in_short.first_cpu : in_short.cpu;
      memory += first_only ? in_short.first_memory : in_short.memory;
    }
    return demand[Resource::kCpu] <= cpu && demand[Resource::kMemory] <= memory;
  };
  const std::span<const HostIndex> hosts = reach_.Find(demand, one);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const HostIndex host = hosts[i];
    if (i + kFetchedAhead < hosts.size()) Fetch(hosts[i + kFetchedAhead]);
    if (seen_in_[ToNumber(host)] == search_ || !may_do(host) || !may_run(host)) continue;
    if (!best.Keep(Examine(host, best.bar()))) continue;
    one = LeastForCost(best.bar()->cost, 1);
    two = LeastForCost(best.bar()->cost, 2);
  }
}

SearchOutcome QosSearch::Best(const HostPredicate& may_run, std::size_t wanted) {
  ++search_;
  seen_in_.resize(scheduler_.hosts(), 0);
  BestPlans best(wanted);
  SearchOutcome outcome;
  bool done = WalkFromCheapest(may_run, best);
  if (done ? best.empty() : !best.full()) {
    // Step by step: mostly somebody yields soon, and few hosts come into question for that.
    for (Duration ahead = kHorizonLeast; ahead <= kHorizonMost; ahead *= 2) {
      outcome.until = std::min(at_risk_from_, now_ + ahead);
      done = LookEverywhere(may_run, best, outcome);
      if (!best.empty() || !outcome.later.empty() || outcome.until == at_risk_from_) break;
    }
  }
  if (!done) Improve(may_run, best);
  outcome.plans = std::move(best).Take();
  return outcome;
}

// Looks at the hosts not walked until it has enough; whether these were all. While there is no plan
// it notes where it may fit soon.
bool QosSearch::LookEverywhere(const HostPredicate& may_run, BestPlans& best,
                               SearchOutcome& outcome) {
  std::size_t tried = 0;
  for (const HostIndex host : reach_.Find(taker_.want->demand, LeastBy(outcome.until))) {
    if (!may_run(host)) continue;
    if (std::exchange(seen_in_[ToNumber(host)], search_) != search_) {
      best.Keep(Examine(host, best.bar()));
      if (best.full() && ++tried >= kTriedMax) return false;
    }
    if (!best.empty()) continue;
    const Time from = FitsFrom(host, outcome.until);
    if (from < outcome.until) outcome.later.push_back({from, host});
  }
  return true;
}

// Later takers have at least as much leeway, so only the more important take from one at risk.
bool QosSearch::MayYieldAtOnce(const Taker& taker) const {
  const ClassTerms& terms = scheduler_.TermsOf(*taker.want);
  return terms.rank > 0 && !AtLeast(taker.turn, terms.margin);
}

}  // namespace berth
