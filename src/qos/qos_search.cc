#include "qos/qos_search.h"

#include <algorithm>
#include <utility>

#include "qos/allocation_score.h"

namespace berth {

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
          request};
}

void QosSearch::Runs(RequestIndex request) {
  const RequestAccount& account = scheduler_.requests()[request];
  victims_.Insert(account.host, account.want.klass, EntryOf(request), account.want.demand);
}

void QosSearch::Leaves(RequestIndex request) {
  const RequestAccount& account = scheduler_.requests()[request];
  victims_.Erase(account.host, account.want.klass, EntryOf(request), account.want.demand);
}

void QosSearch::Begin(const Taker& taker, Time now) {
  taker_ = taker;
  now_ = now;
  gates_.clear();
  const ClassTerms& terms = scheduler_.TermsOf(*taker.want);
  for (const ClassTerms& victim : scheduler_.classes())
    gates_.emplace_back(terms, taker.turn, victim, now);
}

bool QosSearch::AnyVictim() const {
  for (std::size_t klass = 0; klass < gates_.size(); ++klass) {
    const std::set<HostTop>& tops = victims_.Tops(klass);
    if (!tops.empty() && tops.begin()->key >= gates_[klass].least()) return true;
  }
  return false;
}

bool QosSearch::MayFit(HostIndex host) const {
  Resources room = scheduler_.host(host).free;
  for (std::size_t klass = 0; klass < gates_.size(); ++klass) {
    const std::span<const RunningEntry> running = victims_.Running(host, klass);
    if (!running.empty() && running.front().key >= gates_[klass].least())
      room += victims_.Held(host, klass);
  }
  return taker_.want->demand.FitsIn(room);
}

bool QosSearch::Yields(const RunningEntry& entry, std::size_t klass) const {
  if (!gates_[klass].Admits(entry.key)) return false;
  return klass != taker_.want->klass || !scheduler_.requests()[entry.request].Over(
                                            scheduler_.classes()[klass].overhead_cap_ppm, now_);
}

std::optional<std::size_t> QosSearch::NextClass(HostIndex host) const {
  std::optional<std::size_t> best;
  for (std::size_t klass = 0; klass < gates_.size(); ++klass) {
    const std::span<const RunningEntry> running = victims_.Running(host, klass);
    if (positions_[klass] == running.size()) continue;
    const RunningEntry& entry = running[positions_[klass]];
    if (entry.key < gates_[klass].least()) continue;
    if (best) {
      const RunningEntry& other = victims_.Running(host, *best)[positions_[*best]];
      const auto order = LeewayOf(entry.key, klass) <=> LeewayOf(other.key, *best);
      if (order < 0 || (order == 0 && entry.order < other.order)) continue;
    }
    best = klass;
  }
  return best;
}

std::optional<Plan> QosSearch::Examine(HostIndex host, const Plan* best) {
  const HostState& state = scheduler_.host(host);
  const Resources& demand = taker_.want->demand;
  Plan plan{.host = host, .victims = {}, .cost = CostTuple(scheduler_.ranks()), .shortfall = 0};
  Resources free = state.free;
  positions_.assign(gates_.size(), 0);
  while (!demand.FitsIn(free)) {
    const std::optional<std::size_t> klass = NextClass(host);
    if (!klass) return std::nullopt;
    const RunningEntry& entry = victims_.Running(host, *klass)[positions_[*klass]++];
    if (!Yields(entry, *klass)) continue;
    const Leeway leeway = LeewayOf(entry.key, *klass);
    plan.victims.push_back({entry.request, leeway});
    plan.cost.Add(scheduler_.classes()[*klass], leeway);
    if (best != nullptr && best->cost < plan.cost) return std::nullopt;
    free += scheduler_.requests()[entry.request].want.demand;
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
  if (cursor.at->key < gates_[cursor.klass].least()) return false;
  cursor.bound = CostTuple(scheduler_.ranks());
  cursor.bound.Add(scheduler_.classes()[cursor.klass], LeewayOf(cursor.at->key, cursor.klass));
  return true;
}

std::optional<Plan> QosSearch::Best(const HostPredicate& may_run) {
  ++search_;
  seen_in_.resize(scheduler_.hosts(), 0);
  std::optional<Plan> best;
  for (std::vector<Cursor> cursors = OpenCursors(); !cursors.empty();) {
    const auto next = std::ranges::min_element(
        cursors, [](const Cursor& a, const Cursor& b) { return a.bound < b.bound; });
    if (best && best->cost < next->bound) break;
    const HostIndex host = next->at->host;
    ++next->at;
    if (!SetBound(*next)) cursors.erase(next);
    if (std::exchange(seen_in_[ToNumber(host)], search_) == search_) continue;
    if (!MayFit(host) || !may_run(host)) continue;
    std::optional<Plan> plan = Examine(host, best ? &*best : nullptr);
    if (plan && (!best || plan->IsBetterThan(*best))) best = std::move(plan);
  }
  return best;
}

// Later takers have at least as much leeway, so only the more important take from one at risk.
bool QosSearch::MayYieldAtOnce(const Taker& taker) const {
  const ClassTerms& terms = scheduler_.TermsOf(*taker.want);
  return terms.rank > 0 && !AtLeast(taker.turn, terms.margin);
}

}  // namespace berth
