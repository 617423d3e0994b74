#include "engine/balance.h"

#include <algorithm>

#include "engine/policy.h"

namespace berth {

Result<BalancePlan> PlanBalanceInForce(const BalanceAsk& ask) {
  BERTH_TRY(const AllocatePolicy policy, PolicyInForce(ask.fleet));
  BERTH_TRY(const OversubPolicy oversub, OversubPolicyInForce(ask.fleet));
  BalanceRequest request{.policy = policy,
                         .fleet = ask.fleet,
                         .usage = ask.usage,
                         .demand = ask.demand,
                         .now = ask.now,
                         .oversub = oversub,
                         .moves_max = ask.moves_max,
                         .seed = ask.seed};
  if (ask.on_progress) {
    request.on_progress = [&](std::uint64_t done) { ask.on_progress(done, request.steps); };
  }
  return PlanBalance(request);
}

Time LatestChange(const Inventory& fleet) {
  Time latest;
  for (const ServiceState& service : fleet.services()) {
    for (const KeptInstance& instance : service.instances) {
      latest = std::max(latest, instance.timeline.since);
    }
  }
  return latest;
}

}  // namespace berth
