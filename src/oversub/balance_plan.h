// What-if balancing: which moves would lower the energy of a fleet (balance_state.h), and the
// violations expected before and after.
//
// The moves are the annealing's, in an order in which no step violates a machine, less those that
// have none and those that a rule of the policy or the one validator refuses on the state that the
// moves before them leave.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "allocate/policy.h"
#include "oversub/balance_state.h"
#include "oversub/fleet_balance.h"
#include "oversub/policy.h"

namespace berth {

struct BalanceRequest {
  const AllocatePolicy& policy;  // Under which the fleet is.
  const Inventory& fleet;
  const UsageByInstance& usage;
  const TraceLibrary& demand;
  Time now;
  OversubPolicy oversub = {};
  std::uint64_t moves_max = 20;
  std::uint64_t steps = 20'000;
  std::uint64_t seed = 1;
  std::function<void(std::uint64_t done)> on_progress = {};
};

struct BalanceMove {
  InstanceId instance;
  TypeId type;
  MachineId from;
  MachineId to;
  double expected_violations = 0;  // Of the whole fleet, with this move and those before it.
};

struct BalanceSummary {
  std::uint64_t violated_now = 0;
  double expected_violations = 0;
  double imbalance = 0;
  double fragmentation = 0;
  double energy = 0;
};

// A machine that is violated now, or may be, or has a part in a move.
struct MachineOutlook {
  MachineId machine;
  bool violated_now = false;
  bool violated_after = false;
  double probability_now = 0;  // That it will be.
  double probability_after = 0;
};

struct RefusedMove {
  InstanceId instance;
  MachineId to;
  std::string because;
};

struct BalancePlan {
  std::uint64_t machines = 0;
  std::uint64_t instances = 0;
  std::uint64_t not_observed = 0;  // Of the instances; taken for newcomers of their types.
  BalanceSummary before;
  BalanceSummary after;
  std::vector<BalanceMove> moves;  // In the order in which they are to be made.
  std::vector<RefusedMove> refused;
  std::vector<MachineOutlook> outlooks;  // By name.
};

Result<BalancePlan> PlanBalance(const BalanceRequest& request);

}  // namespace berth
