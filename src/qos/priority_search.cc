#include "qos/priority_search.h"

#include <algorithm>
#include <utility>

#include "berth/check.h"
#include "qos/allocation_score.h"
#include "qos/best_plans.h"

namespace berth {

Wide PrioritySearch::WaitingKeyOf(RequestIndex) const { return 0; }

Leeway PrioritySearch::TurnOf(const Want& want, Wide, Time) const {
  return {scheduler_.TermsOf(want).rank, 1};
}

void PrioritySearch::AddHost(HostIndex host) {
  on_hosts_.resize(std::max<std::size_t>(on_hosts_.size(), ToNumber(host) + 1));
  on_hosts_[ToNumber(host)].held.resize(scheduler_.ranks());
}

PrioritySearch::Entry PrioritySearch::EntryOf(RequestIndex request) const {
  const RequestAccount& account = scheduler_.requests()[request];
  return {scheduler_.TermsOf(account.want).rank, account.order, request};
}

void PrioritySearch::Runs(RequestIndex request) {
  const RequestAccount& account = scheduler_.requests()[request];
  OnHost& on_host = on_hosts_[ToNumber(account.host)];
  const Entry entry = EntryOf(request);
  on_host.running.insert(std::ranges::upper_bound(on_host.running, entry, std::less<>()), entry);
  on_host.held[entry.rank] += account.want.demand;
}

void PrioritySearch::Leaves(RequestIndex request) {
  const RequestAccount& account = scheduler_.requests()[request];
  OnHost& on_host = on_hosts_[ToNumber(account.host)];
  const Entry entry = EntryOf(request);
  const auto at = std::ranges::lower_bound(on_host.running, entry, std::less<>());
  BERTH_CHECK(at != on_host.running.end() && at->request == request);
  on_host.running.erase(at);
  on_host.held[entry.rank] -= account.want.demand;
}

void PrioritySearch::Begin(const Taker& taker, Time now) {
  want_ = taker.want;
  rank_ = scheduler_.TermsOf(*taker.want).rank;
  now_ = now;
}

std::vector<Wide> PrioritySearch::LeastBy(Time) const {
  constexpr Wide kNobodyYields = 1;
  std::vector<Wide> least(scheduler_.ranks(), 0);
  std::fill_n(least.begin(), rank_ + 1, kNobodyYields);
  return least;
}

void PrioritySearch::DescribeRoom(HostIndex host, HostRoom& room) const {
  room.cpu = scheduler_.host(host).free[Resource::kCpu];
  room.memory = scheduler_.host(host).free[Resource::kMemory];
  room.parts.clear();
  for (const Resources& held : on_hosts_[ToNumber(host)].held)
    room.parts.push_back({0, held[Resource::kCpu], held[Resource::kMemory]});
}

bool PrioritySearch::MayFit(HostIndex host, const Want& want, std::span<const Wide>) const {
  Resources room = scheduler_.host(host).free;
  const std::vector<Resources>& held = on_hosts_[ToNumber(host)].held;
  for (std::size_t rank = scheduler_.TermsOf(want).rank + 1; rank < held.size(); ++rank)
    room += held[rank];
  return want.demand.FitsIn(room);
}

Time PrioritySearch::FitsFrom(HostIndex host, Time) {
  return MayFit(host, *want_, {}) ? now_ : kNeverFits;
}

std::optional<Plan> PrioritySearch::Examine(HostIndex host, const Plan* best) {
  const HostState& state = scheduler_.host(host);
  Plan plan{.host = host, .victims = {}, .cost = CostTuple(scheduler_.ranks()), .shortfall = 0};
  Resources free = state.free;
  for (const Entry& entry : on_hosts_[ToNumber(host)].running) {
    if (want_->demand.FitsIn(free) || entry.rank <= rank_) break;
    plan.victims.push_back({entry.request, scheduler_.LeewayOf(entry.request, now_)});
    plan.cost.AddOne(entry.rank);
    if (best != nullptr && best->cost < plan.cost) return std::nullopt;
    free += scheduler_.requests()[entry.request].want.demand;
  }
  if (!want_->demand.FitsIn(free)) return std::nullopt;
  plan.shortfall = ScoreShortfall(FillOf(state.capacity - free + want_->demand, state.capacity));
  return plan;
}

SearchOutcome PrioritySearch::Best(const HostPredicate& may_run, std::size_t wanted) {
  BestPlans best(wanted);
  for (std::uint32_t i = 0; i < scheduler_.hosts(); ++i) {
    const HostIndex host{i};
    if (!MayFit(host, *want_, {}) || !may_run(host)) continue;
    best.Keep(Examine(host, best.bar()));
  }
  return {.plans = std::move(best).Take()};
}

// Later takers are no more important.
bool PrioritySearch::MayYieldAtOnce(const Taker&) const { return false; }

}  // namespace berth
