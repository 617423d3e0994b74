// A fleet as the balancer sees it: its ready machines and what runs on them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "berth/time.h"
#include "fleet/inventory.h"
#include "oversub/balance_problem.h"
#include "oversub/newcomers.h"

namespace berth {

// What an instance was seen to take: of late, and at most.
struct InstanceUsage {
  Resources now;
  Resources peak;
};
using UsageByInstance = std::map<InstanceId, InstanceUsage>;

struct FleetBalance {
  BalanceProblem problem;
  std::vector<MachineId> machines;   // By the problem's numbers,
  std::vector<InstanceId> replicas;  // and these too.
  std::uint64_t not_observed = 0;    // Taken for newcomers of their types.
};

// Amounts of usage are rounded up, of capacity down. Instances of isolated services stay where they
// are, and nobody joins them; those that must be within one cluster, row or datacenter stay in it.
// Machines, racks and update domains are shared as the services' constraints say.
FleetBalance BalanceOf(const Inventory& fleet, const UsageByInstance& usage,
                       const Newcomers& newcomers);

}  // namespace berth
