#include "qos/preemption_search.h"

#include "qos/allocation_score.h"

namespace berth {

bool Plan::IsBetterThan(const Plan& other) const {
  if (victims.empty() != other.victims.empty()) return victims.empty();
  if (const auto order = cost <=> other.cost; order != 0) return order < 0;
  return shortfall != other.shortfall ? shortfall < other.shortfall : host < other.host;
}

void PreemptionSearch::Begin(const Taker& taker, Time now) {
  taker_ = taker;
  now_ = now;
  gates_.clear();
  const ClassTerms& terms = scheduler_.TermsOf(*taker.ask);
  for (const ClassTerms& victim : scheduler_.classes())
    gates_.emplace_back(terms, taker.leeway, victim, now);
}

bool PreemptionSearch::AnyVictim() const {
  for (std::size_t klass = 0; klass < gates_.size(); ++klass) {
    const std::set<HostTop>& tops = victims_.Tops(klass);
    if (!tops.empty() && tops.begin()->key >= gates_[klass].least()) return true;
  }
  return false;
}

bool PreemptionSearch::MayFit(HostIndex host) const {
  Resources room = scheduler_.host(host).free;
  for (std::size_t klass = 0; klass < gates_.size(); ++klass) {
    const std::span<const RunningEntry> running = victims_.Running(host, klass);
    if (!running.empty() && running.front().key >= gates_[klass].least())
      room += victims_.Held(host, klass);
  }
  return taker_.ask->demand.FitsIn(room);
}

bool PreemptionSearch::Yields(const RunningEntry& entry, std::size_t klass) const {
  if (!gates_[klass].Admits(entry.key)) return false;
  return klass != taker_.ask->klass || !scheduler_.requests()[entry.request].Over(
                                           scheduler_.classes()[klass].overhead_cap_ppm, now_);
}

std::optional<std::size_t> PreemptionSearch::NextClass(HostIndex host) const {
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

std::optional<Plan> PreemptionSearch::Examine(HostIndex host, const Plan* best) {
  const HostState& state = scheduler_.host(host);
  const Resources& demand = taker_.ask->demand;
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
    free += scheduler_.requests()[entry.request].ask.demand;
  }
  plan.shortfall = ScoreShortfall(FillOf(state.capacity - free + demand, state.capacity));
  return plan;
}

std::vector<PreemptionSearch::Cursor> PreemptionSearch::OpenCursors() const {
  std::vector<Cursor> cursors;
  for (std::size_t klass = 0; klass < gates_.size(); ++klass) {
    Cursor cursor{klass, victims_.Tops(klass).begin(), CostTuple(scheduler_.ranks())};
    if (SetBound(cursor)) cursors.push_back(cursor);
  }
  return cursors;
}

// False when the class has no host left that might matter.
bool PreemptionSearch::SetBound(Cursor& cursor) const {
  if (cursor.at == victims_.Tops(cursor.klass).end()) return false;
  if (cursor.at->key < gates_[cursor.klass].least()) return false;
  cursor.bound = CostTuple(scheduler_.ranks());
  cursor.bound.Add(scheduler_.classes()[cursor.klass], LeewayOf(cursor.at->key, cursor.klass));
  return true;
}

}  // namespace berth
