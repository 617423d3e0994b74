// What-if balancing of a fleet under the policy that it has in force.
#pragma once

#include <cstdint>
#include <functional>

#include "oversub/balance_plan.h"

namespace berth {

struct BalanceAsk {
  const Inventory& fleet;
  const UsageByInstance& usage;
  const TraceLibrary& demand;
  Time now;
  std::uint64_t moves_max = 20;
  std::uint64_t seed = 1;
  std::function<void(std::uint64_t done, std::uint64_t steps)> on_progress = {};
};
Result<BalancePlan> PlanBalanceInForce(const BalanceAsk& ask);

// When the fleet was last changed, by the instances' own times.
Time LatestChange(const Inventory& fleet);

}  // namespace berth
