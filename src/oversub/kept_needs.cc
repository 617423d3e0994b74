#include "oversub/kept_needs.h"

#include <algorithm>

#include "oversub/demand_curve.h"

namespace berth {
namespace {

PerResource<NeedLane> NeedOf(const TraceLibrary& library, const HostedTenant& tenant,
                             TraceIndex drawn) {
  const DemandCurve curve = CurveOf(library, tenant, drawn);
  PerResource<NeedLane> need;
  for (const DemandResource r : kAllDemandResources) {
    need[r] = static_cast<NeedLane>(curve.Maximum(r) / kLoadUnit);
  }
  return need;
}

}  // namespace

PerResource<NeedLane> WriteNeeds(const TraceLibrary& library, const HostedTenant& tenant,
                                 std::span<const TraceIndex> drawn, std::span<NeedLane> lanes) {
  const std::size_t stride = lanes.size() / kDemandResourceCount;
  PerResource<NeedLane> greatest;
  for (std::size_t repetition = 0; repetition < drawn.size(); ++repetition) {
    const PerResource<NeedLane> need = NeedOf(library, tenant, drawn[repetition]);
    for (const DemandResource r : kAllDemandResources) {
      lanes[static_cast<std::size_t>(r) * stride + repetition] = need[r];
      greatest[r] = std::max(greatest[r], need[r]);
    }
  }
  return greatest;
}

const TenantNeeds& KeptNeeds::Of(const HostedTenant& tenant, Step now) {
  const auto [at, is_new] = kept_.try_emplace(tenant.key);
  Kept& kept = at->second;
  if (is_new) {
    kept.drawn.assign(repetitions_, kNoTrace);
    kept.needs.lanes.assign(kDemandResourceCount * NeedLanesFor(repetitions_), 0);
  }
  if (is_new || now > kept.least_end || !Covers(kept.least_peak, tenant.observed_peak) ||
      kept.promised != tenant.promised) {
    Draw(tenant, now, kept);
  }
  kept.asked_at = now;
  return kept.needs;
}

void KeptNeeds::ForgetBefore(Step time) {
  std::erase_if(kept_, [time](const auto& entry) { return entry.second.asked_at < time; });
}

void KeptNeeds::Draw(const HostedTenant& tenant, Step now, Kept& kept) const {
  library_.DrawAgain(tenant, now, kept.drawn);
  kept.needs.greatest = WriteNeeds(library_, tenant, kept.drawn, kept.needs.lanes);
  kept.least_end = kForever;
  kept.least_peak = Demand(kDemandMax, kDemandMax, kDemandMax);
  kept.promised = tenant.promised;
  for (const TraceIndex draw : kept.drawn) {
    // Without a trace what it needs changes with what is seen of it.
    const bool none = draw == kNoTrace;
    const Demand peak = none ? tenant.observed_peak : library_.model(draw).Peak();
    for (const DemandResource r : kAllDemandResources) {
      kept.least_peak[r] = std::min(kept.least_peak[r], peak[r]);
    }
    if (!none)
      kept.least_end = std::min(kept.least_end, tenant.creation + library_.model(draw).lifetime);
  }
}

}  // namespace berth
