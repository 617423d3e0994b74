// Finds the host on which preempting for a request costs least.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "qos/cost_tuple.h"
#include "qos/scheduler.h"
#include "qos/victim_gate.h"
#include "qos/victim_index.h"

namespace berth {

// One that waits, at the time of a pass.
struct Taker {
  RequestIndex request{};
  const Ask* ask = nullptr;
  Leeway leeway;
};

struct Plan {
  HostIndex host{};
  std::vector<Victim> victims;
  CostTuple cost;
  std::int64_t shortfall = 0;

  // As the plain scheduler ranks hosts.
  bool IsBetterThan(const Plan& other) const;
};

class PreemptionSearch {
 public:
  PreemptionSearch(const Scheduler& scheduler, const VictimIndex& victims)
      : scheduler_(scheduler), victims_(victims) {}

  // For the taker that follows; gates are the same for all hosts.
  void Begin(const Taker& taker, Time now);
  // Whether anybody who runs anywhere might yield to it.
  bool AnyVictim() const;
  // What preempting all who might yield would free is enough. Cheap, and never too strict.
  bool MayFit(HostIndex host) const;
  // The plan for one host, that needs preemption or not; none if it has no room even so, or if it
  // costs more than `best`. Whether it may run there at all is not asked.
  std::optional<Plan> Examine(HostIndex host, const Plan* best);
  // The best of all hosts that need preemption, and that `may_run` agrees to.
  template <typename MayRun>
  std::optional<Plan> Best(const MayRun& may_run);

 private:
  // A class's hosts, from the most to spare on.
  struct Cursor {
    std::size_t klass = 0;
    std::set<HostTop>::const_iterator at;
    CostTuple bound;  // No host from here on costs less through this class.
  };
  std::vector<Cursor> OpenCursors() const;
  bool SetBound(Cursor& cursor) const;
  bool Yields(const RunningEntry& entry, std::size_t klass) const;
  // The index of the class whose next on the host has most leeway; none if all are through.
  std::optional<std::size_t> NextClass(HostIndex host) const;
  Leeway LeewayOf(Wide key, std::size_t klass) const {
    return FromRunningKey(key, scheduler_.classes()[klass].target_ppm, now_);
  }

  const Scheduler& scheduler_;
  const VictimIndex& victims_;
  Taker taker_;
  Time now_;
  std::vector<VictimGate> gates_;
  std::vector<std::size_t> positions_;  // Per class, on the host being examined.
  std::vector<std::uint64_t> seen_in_;  // Per host, the search that looked at it last.
  std::uint64_t search_ = 0;
};

template <typename MayRun>
std::optional<Plan> PreemptionSearch::Best(const MayRun& may_run) {
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

}  // namespace berth
