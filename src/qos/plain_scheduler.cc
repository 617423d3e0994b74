#include "qos/plain_scheduler.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "qos/allocation_score.h"
#include "qos/cost_tuple.h"
#include "qos/preemption.h"

namespace berth {
namespace {

struct Candidate {
  HostIndex host{};
  std::vector<Victim> victims;
  CostTuple cost;
  std::int64_t shortfall = 0;

  // Hosts that need no preemption first; then by cost, then by how well the host is filled. The
  // paper draws among equals; here the host that was added first is taken.
  bool IsBetterThan(const Candidate& other) const {
    if (victims.empty() != other.victims.empty()) return victims.empty();
    if (const auto order = cost <=> other.cost; order != 0) return order < 0;
    return shortfall < other.shortfall;
  }
};

class PlainQosScheduler final : public Scheduler {
 public:
  PlainQosScheduler(SchedulerOptions options, const HostFilter& filter)
      : Scheduler(std::move(options), filter) {}

 private:
  void Decide(Time now) override {
    for (const RequestIndex request : Queue(now)) {
      const std::optional<Candidate> best = Cheapest(request, now);
      if (best) Place(request, best->host, best->victims, now);
    }
  }

  std::optional<Offer> FindFor(RequestIndex request, HostIndex home, Time now) override {
    std::optional<Candidate> best = Cheapest(request, now);
    if (!best || !best->victims.empty()) {
      if (std::optional<Candidate> stays = MakeRoom(request, home, now)) best = std::move(stays);
    }
    if (!best) return std::nullopt;
    return Offer{best->host, std::move(best->victims)};
  }

  std::optional<Candidate> Cheapest(RequestIndex request, Time now) const {
    std::optional<Candidate> best;
    for (std::uint32_t i = 0; i < hosts(); ++i) {
      if (!MayRun(requests()[request].want, HostIndex{i})) continue;
      std::optional<Candidate> candidate = MakeRoom(request, HostIndex{i}, now);
      if (candidate && (!best || candidate->IsBetterThan(*best))) best = std::move(candidate);
    }
    return best;
  }

  // Those that wait, who has least leeway first. The paper draws among equals; here who was
  // admitted first goes first.
  std::vector<RequestIndex> Queue(Time now) const {
    std::vector<RequestIndex> queue;
    for (std::uint32_t i = 0; i < requests().size(); ++i) {
      const RequestAccount& account = requests()[RequestIndex{i}];
      if (account.alive && !account.placed) queue.push_back(RequestIndex{i});
    }
    std::ranges::sort(queue, [&](RequestIndex a, RequestIndex b) {
      const auto order = LeewayOf(a, now) <=> LeewayOf(b, now);
      return order != 0 ? order < 0 : requests()[a].order < requests()[b].order;
    });
    return queue;
  }

  // Those that run on the host, who has most leeway first; among equals who was admitted last.
  std::vector<RequestIndex> MostLeewayFirst(HostIndex host, Time now) const {
    std::vector<RequestIndex> running = this->host(host).running;
    std::ranges::sort(running, [&](RequestIndex a, RequestIndex b) {
      const auto order = LeewayOf(a, now) <=> LeewayOf(b, now);
      return order != 0 ? order > 0 : requests()[a].order > requests()[b].order;
    });
    return running;
  }

  bool IsEligible(RequestIndex taker, RequestIndex victim, Time now) const {
    const RequestAccount& from = requests()[victim];
    const Want& want = requests()[taker].want;
    const ClassTerms& terms = TermsOf(from.want);
    const Leeway takers = LeewayOf(taker, now);
    const Leeway victims = LeewayOf(victim, now);
    if (want.klass == from.want.klass) {
      if (from.Over(terms.overhead_cap_ppm, now)) return false;
      if (from.start_unknown && !MayDisturbStart(terms, takers, victims)) return false;
    }
    return MayPreempt(TermsOf(want), takers, terms, victims);
  }

  // On one host, that needs preemption or not; whether it may run there is not asked.
  std::optional<Candidate> MakeRoom(RequestIndex request, HostIndex index, Time now) const {
    const Want& want = requests()[request].want;
    const HostState& state = host(index);
    Candidate candidate{.host = index, .victims = {}, .cost = CostTuple(ranks()), .shortfall = 0};
    Resources free = state.free;
    if (!want.demand.FitsIn(free)) {
      for (const RequestIndex running : MostLeewayFirst(index, now)) {
        if (!IsEligible(request, running, now)) continue;
        const Want& victim = requests()[running].want;
        const Leeway leeway = LeewayOf(running, now);
        free += victim.demand;
        candidate.victims.push_back({running, leeway});
        candidate.cost.Add(TermsOf(victim), leeway);
        if (want.demand.FitsIn(free)) break;
      }
    }
    if (!want.demand.FitsIn(free)) return std::nullopt;
    candidate.shortfall =
        ScoreShortfall(FillOf(state.capacity - free + want.demand, state.capacity));
    return candidate;
  }
};

}  // namespace

std::unique_ptr<Scheduler> NewPlainQosScheduler(SchedulerOptions options,
                                                const HostFilter& filter) {
  return std::make_unique<PlainQosScheduler>(std::move(options), filter);
}

}  // namespace berth
