#include "qos/qos_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "qos/allocation_score.h"
#include "qos/preemption.h"

namespace berth {
namespace {

// How far a search that finds nothing looks ahead.
constexpr Duration kHorizon = std::chrono::minutes(2);
// How many hosts are walked, from the cheapest on, before all are asked at once.
constexpr std::size_t kWalkedMax = 16;
// On how many it is tried, where the cheapest do not do, before those that cost more are left out.
constexpr std::size_t kTriedMax = 24;
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
  return {RunningKey(scheduler_.LeewayOf(request, account.since), account.since), account.order,
          request, account.want.demand};
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
  Resources room = scheduler_.host(host).free;
  for (std::size_t klass = 0; klass < least.size(); ++klass) {
    if (victims_.Top(host, klass) >= least[klass]) room += victims_.Held(host, klass);
  }
  return want.demand.FitsIn(room);
}

Duration QosSearch::UntilYields(const RunningEntry& entry, std::size_t klass) const {
  const Duration until = gates_[klass].UntilAdmitted(entry.key);
  if (klass != taker_.want->klass) return until;
  const RequestAccount& account = scheduler_.requests()[entry.request];
  const Duration under = account.UntilUnder(scheduler_.classes()[klass].overhead_cap_ppm, now_);
  const bool not_before_risk = account.start_unknown && at_risk_from_ != kNeverFits;
  return std::max({until, under, not_before_risk ? at_risk_from_ - now_ : Duration()});
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
  const ClassTerms& terms = scheduler_.classes()[klass];
  const RequestAccount& account = scheduler_.requests()[entry.request];
  if (account.Over(terms.overhead_cap_ppm, now_)) return false;
  return !account.start_unknown || MayDisturbStart(terms, taker_.turn, LeewayOf(entry.key, klass));
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
  if (!AllMakeRoom(host)) return std::nullopt;
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
bool QosSearch::WalkFromCheapest(const HostPredicate& may_run, std::optional<Plan>& best) {
  std::size_t seen = 0;
  for (std::vector<Cursor> cursors = OpenCursors(); !cursors.empty();) {
    const auto next = std::ranges::min_element(
        cursors, [](const Cursor& a, const Cursor& b) { return a.bound < b.bound; });
    if (best && best->cost < next->bound) return true;
    if (seen++ == kWalkedMax) return false;
    const HostIndex host = next->at->host;
    ++next->at;
    if (!SetBound(*next)) cursors.erase(next);
    if (std::exchange(seen_in_[ToNumber(host)], search_) == search_) continue;
    if (MayFit(host, *taker_.want, least_) && may_run(host)) KeepBetter(host, best);
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

// Looks where it may cost no more than the plan there is.
void QosSearch::Improve(const HostPredicate& may_run, std::optional<Plan>& best) {
  std::vector<Wide> one = LeastForCost(best->cost, 1);
  std::vector<Wide> two = LeastForCost(best->cost, 2);
  // Whoever has most leeway yields first: one of each class must do, or two of some class. If the
  // first of a class does not yield, any other might.
  const auto may_do = [&](HostIndex host) {
    Resources room = scheduler_.host(host).free;
    for (std::size_t klass = 0; klass < one.size(); ++klass) {
      const Wide top = victims_.Top(host, klass);
      if (top >= two[klass]) return true;
      if (top < one[klass]) continue;
      const RunningEntry& first = victims_.Running(host, klass).front();
      room += Yields(first, klass) ? first.demand : victims_.Held(host, klass);
    }
    return taker_.want->demand.FitsIn(room);
  };
  for (const HostIndex host : reach_.Find(taker_.want->demand, one)) {
    if (seen_in_[ToNumber(host)] == search_ || !may_do(host) || !may_run(host)) continue;
    if (!KeepBetter(host, best)) continue;
    one = LeastForCost(best->cost, 1);
    two = LeastForCost(best->cost, 2);
  }
}

bool QosSearch::KeepBetter(HostIndex host, std::optional<Plan>& best) {
  std::optional<Plan> plan = Examine(host, best ? &*best : nullptr);
  if (!plan || (best && !plan->IsBetterThan(*best))) return false;
  best = std::move(plan);
  return true;
}

SearchOutcome QosSearch::Best(const HostPredicate& may_run) {
  ++search_;
  seen_in_.resize(scheduler_.hosts(), 0);
  std::optional<Plan> best;
  const bool done = WalkFromCheapest(may_run, best);
  if (!done && !best) KeepBestOfSome(may_run, best);
  if (!best) return {std::nullopt, FitsAnywhereFrom(may_run)};
  if (!done) Improve(may_run, best);
  return {std::move(best), kNeverFits};
}

// Of the hosts not walked, the best of some on which it fits.
void QosSearch::KeepBestOfSome(const HostPredicate& may_run, std::optional<Plan>& best) {
  std::size_t tried = 0;
  for (const HostIndex host : reach_.Find(taker_.want->demand, least_)) {
    if (seen_in_[ToNumber(host)] == search_ || !may_run(host)) continue;
    KeepBetter(host, best);
    if (best && ++tried == kTriedMax) return;
  }
}

// Looks ahead step by step: mostly somebody yields soon, and few hosts come into question for that.
Time QosSearch::FitsAnywhereFrom(const HostPredicate& may_run) {
  for (Duration ahead = kHorizon / 8;; ahead *= 2) {
    const Time horizon = std::min(at_risk_from_, now_ + std::min(ahead, kHorizon));
    Time fits_from = horizon;
    for (const HostIndex host : reach_.Find(taker_.want->demand, LeastBy(horizon))) {
      const Time from = FitsFrom(host, fits_from);
      if (from < fits_from && may_run(host)) fits_from = from;
    }
    if (fits_from < horizon || ahead >= kHorizon || horizon == at_risk_from_) return fits_from;
  }
}

// Later takers have at least as much leeway, so only the more important take from one at risk.
bool QosSearch::MayYieldAtOnce(const Taker& taker) const {
  const ClassTerms& terms = scheduler_.TermsOf(*taker.want);
  return terms.rank > 0 && !AtLeast(taker.turn, terms.margin);
}

}  // namespace berth
