// What the balancer is asked: machines, the replicas on them, and which of them may share what.
#pragma once

#include <cstdint>
#include <vector>

#include "allocate/machine_load.h"
#include "berth/resources.h"
#include "berth/status.h"
#include "oversub/demand_trace.h"
#include "oversub/hosted_tenant.h"

namespace berth {

// A replica that is not placed yet is nowhere.
inline constexpr std::uint32_t kNowhere = UINT32_MAX;
inline constexpr std::size_t kBalanceMachinesMax = 1U << 17;
inline constexpr std::size_t kBalanceReplicasMax = 1U << 22;

struct BalanceMachine {
  Demand capacity{};
  Resources usable{};  // Capacity times the over-subscription ratio: what limits may sum to.
  std::uint32_t cluster = 0;
  std::uint32_t rack = 0;
  std::uint32_t update_domain = 0;
  bool held_out = false;  // Kept as empty as can be, for those that need a whole machine.
};

// How many replicas of one service may share what; 0: any number.
struct BalanceService {
  std::uint32_t max_per_machine = 1;
  std::uint32_t max_per_rack = 0;
  std::uint32_t max_per_update_domain = 0;
};

struct BalanceReplica {
  std::uint32_t service = 0;
  std::uint32_t machine = kNowhere;  // Where it is. Leaving it is a failover.
  bool pinned = false;
  std::uint32_t reach = 0;  // Which of `reaches` says where it may go.
  Demand usage;             // Now; of a newcomer the initial estimate.
  Resources limit;
  HostedTenant tenant;
};

struct BalanceProblem {
  std::vector<BalanceMachine> machines;
  std::vector<BalanceService> services;
  std::vector<BalanceReplica> replicas;
  std::vector<std::vector<bool>> reaches;  // By machine. None: every replica may go everywhere.
  // Of a capacity: so much usage is a violation.
  PerResource<std::uint32_t> threshold_thousandths{950, 950, 950};
};

// Sizes, and that every index is one.
Status CheckProblem(const BalanceProblem& problem);

// Holds out, of each cluster, so many machines that are used least: of their scarcest resource, or
// in the mean of all, in which a resource counts as much as the cluster uses of it. Of equally used
// ones the first. All others are not held out.
void HoldOutEmptiest(BalanceProblem& problem, std::size_t per_cluster,
                     Weighting weighting = Weighting::kMax);

}  // namespace berth
