// How the QoS-driven scheduler searches: hosts from the cheapest preemption on, until no other can
// be cheaper.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "qos/best_plans.h"
#include "qos/preemption_search.h"
#include "qos/reach_index.h"
#include "qos/victim_gate.h"
#include "qos/victim_index.h"

namespace berth {

class QosSearch final : public PreemptionSearch {
 public:
  explicit QosSearch(const Scheduler& scheduler)
      : scheduler_(scheduler), victims_(scheduler.classes().size()), reach_(scheduler, victims_) {}

  Wide WaitingKeyOf(RequestIndex request) const override;
  Leeway TurnOf(const Want& want, Wide key, Time now) const override;
  void AddHost(HostIndex host) override {
    victims_.AddHost(host);
    reach_.Touch(host);
  }
  void Runs(RequestIndex request) override;
  void Leaves(RequestIndex request) override;
  void Begin(const Taker& taker, Time now) override;
  std::vector<Wide> LeastBy(Time time) const override;
  bool MayFit(HostIndex host, const Want& want, std::span<const Wide> least) const override;
  void DescribeRoom(HostIndex host, HostRoom& room) const override;
  Time FitsFrom(HostIndex host, Time horizon) override;
  std::optional<Plan> Examine(HostIndex host, const Plan* best) override;
  SearchOutcome Best(const HostPredicate& may_run, std::size_t wanted) override;
  bool MayYieldAtOnce(const Taker& taker) const override;

 private:
  // A class's hosts, from the most to spare on.
  struct Cursor {
    std::size_t klass = 0;
    std::set<HostTop>::const_iterator at;
    CostTuple bound;  // No host from here on costs less through this class.
  };
  // Of a class, who is next to yield on a host.
  struct Next {
    std::size_t position = 0;
    const RunningEntry* entry = nullptr;  // Null: all are through.
    double leeway_micros = 0;
  };
  using YieldsAfter = std::pair<Duration, const RunningEntry*>;

  RunningEntry EntryOf(RequestIndex request) const;
  std::vector<Cursor> OpenCursors() const;
  bool SetBound(Cursor& cursor) const;
  bool Yields(const RunningEntry& entry, std::size_t klass) const;
  Duration UntilYields(const RunningEntry& entry, std::size_t klass) const;
  bool WalkFromCheapest(const HostPredicate& may_run, BestPlans& best);
  std::vector<Wide> LeastForCost(const CostTuple& cost, double victims) const;
  bool LookEverywhere(const HostPredicate& may_run, BestPlans& best, SearchOutcome& outcome);
  void Fetch(HostIndex host) const;
  void Improve(const HostPredicate& may_run, BestPlans& best);
  bool AllMakeRoom(HostIndex host) const;
  void SetNext(HostIndex host, std::size_t klass, std::size_t position);
  bool GoesBefore(std::size_t klass, std::size_t other) const;
  // The class whose next on the host examined has most leeway; none if all are through.
  std::optional<std::size_t> NextClass() const;
  Leeway LeewayOf(Wide key, std::size_t klass) const {
    return FromRunningKey(key, scheduler_.classes()[klass].target_ppm, now_);
  }

  const Scheduler& scheduler_;
  VictimIndex victims_;
  ReachIndex reach_;
  Taker taker_;
  Time now_;
  Time at_risk_from_;  // When the taker falls below its margin, if it has not yet.
  std::vector<VictimGate> gates_;
  std::vector<Wide> least_;                // By the gates, at present.
  std::vector<Next> next_;                 // Per class, on the host being examined.
  std::vector<YieldsAfter> yields_after_;  // On the host asked about.
  std::vector<std::uint64_t> seen_in_;     // Per host, the search that looked at it last.
  std::uint64_t search_ = 0;
};

}  // namespace berth
