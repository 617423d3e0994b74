// Who goes first and who yields: the part in which the schedulers differ. It keeps what it needs to
// know of those that run, and finds where preempting for a request costs least.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "qos/cost_tuple.h"
#include "qos/scheduler.h"
#include "qos/unmet_wants.h"

namespace berth {

// One that waits, at its turn.
struct Taker {
  const Want* want = nullptr;
  Leeway turn;  // As TurnOf gave it.
};

struct Plan {
  HostIndex host{};
  std::vector<Victim> victims;
  CostTuple cost;
  std::int64_t shortfall = 0;  // ScoreShortfall.

  // Hosts that need no preemption first; then by cost, then by how well the host is filled, then
  // the host that was added first.
  bool IsBetterThan(const Plan& other) const {
    if (victims.empty() != other.victims.empty()) return victims.empty();
    if (const auto order = cost <=> other.cost; order != 0) return order < 0;
    return shortfall != other.shortfall ? shortfall < other.shortfall : host < other.host;
  }
};

inline constexpr Time kNeverFits = Time::max();

// A host where a taker may fit from a time on, if nothing happens there until then.
struct FitsLater {
  Time from;
  HostIndex host{};
};

struct SearchOutcome {
  std::vector<Plan> plans;  // The best first, each of another host.
  // Without a plan: until then there is none where nothing happens, but for these hosts.
  Time until = kNeverFits;
  std::vector<FitsLater> later = {};
};

using HostPredicate = std::function<bool(HostIndex)>;

class PreemptionSearch {
 public:
  virtual ~PreemptionSearch() = default;

  // The queue's order: a key that stays while a request waits, and what it is worth at a time.
  // Smaller goes first, and among equals who was admitted first.
  virtual Wide WaitingKeyOf(RequestIndex request) const = 0;
  virtual Leeway TurnOf(const Want& want, Wide key, Time now) const = 0;

  virtual void AddHost(HostIndex host) = 0;
  virtual void Runs(RequestIndex request) = 0;
  virtual void Leaves(RequestIndex request) = 0;

  // Cheap, and never too strict: preempting all of every class of which anybody might yield would
  // make room. `least` is LeastBy of one who wants the same and has no more leeway.
  virtual bool MayFit(HostIndex host, const Want& want, std::span<const Wide> least) const = 0;
  // For asking that of many kinds at once.
  virtual void DescribeRoom(HostIndex host, HostRoom& room) const = 0;

  // What follows is asked about this taker. Of two takers who want for the same, the later finds no
  // victim that the earlier would not find.
  virtual void Begin(const Taker& taker, Time now) = 0;
  // What MayFit needs to know of the taker: no key below it, by class, yields to it by then.
  virtual std::vector<Wide> LeastBy(Time time) const = 0;
  // The earliest time, if one before `horizon`, at which the taker may fit on the host if nothing
  // happens there until then; else never. It may be too early, not too late.
  virtual Time FitsFrom(HostIndex host, Time horizon) = 0;
  // The plan for one host, that needs preemption or not; none if it has no room even so, or if it
  // costs more than `best`. Whether it may run there at all is not asked.
  virtual std::optional<Plan> Examine(HostIndex host, const Plan* best) = 0;
  // The best `wanted` of all hosts, none of which has room without preemption; fewer if no others
  // will do.
  virtual SearchOutcome Best(const HostPredicate& may_run, std::size_t wanted) = 0;
  // Whether the taker, once placed, might yield to one that comes later in the same pass.
  virtual bool MayYieldAtOnce(const Taker& taker) const = 0;
};

}  // namespace berth
