// Algorithm 1: the share of repetitions in which a machine's tenants, each replaced by a drawn
// trace, need at least the threshold of some resource at some time.
//
// The times that count are those after `now`: the past is known and cannot be avoided any more, and
// what is there now is observed, not estimated. `now` itself is over for the same reason. A tenant
// is there at t iff creation < t <= creation + lifetime; a draw with creation + lifetime = now is
// allowed and needs nothing any more.
//
// These are the plain forms on models, which the incremental one in machine_risk.h must agree with,
// and they with the traces themselves (violation_on_traces.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oversub/demand_curve.h"

namespace berth {

// Violated from here on: the least whole Load that is at least the given share of the capacity.
using Thresholds = PerResource<Load>;
// More than all that a machine may hold can need, and a whole number of which sums are exact.
inline constexpr Load kNeverReached = kLoadUnit * kDemandMax * kTenantsPerMachineMax;
// `shares_thousandths` of the resources, 1 to 1000 each. A resource of which a machine has nothing
// is not recorded, and never violated.
Thresholds ThresholdsOf(const Demand& capacity,
                        const PerResource<std::uint32_t>& shares_thousandths);
inline Thresholds ThresholdsOf(const Demand& capacity, std::uint32_t share_thousandths) {
  return ThresholdsOf(capacity, {share_thousandths, share_thousandths, share_thousandths});
}

// Whether these curves violate a threshold at any step after now.
bool ViolatesAtAnyStep(std::span<const DemandCurve> curves, Step now, const Thresholds& thresholds);
// The same, at the tenants' departures only. Curves never fall before their end, so the load is
// greatest just before somebody leaves (section 5.3).
bool ViolatesAtDepartures(std::span<const DemandCurve> curves, Step now,
                          const Thresholds& thresholds);

// What each tenant draws in this repetition.
std::vector<DemandCurve> DrawCurves(const TraceLibrary& library,
                                    std::span<const HostedTenant> tenants, Step now,
                                    std::uint32_t repetition);
// The same of all repetitions, by tenant: whoever few traces may stand for is looked at once.
std::vector<std::vector<TraceIndex>> DrawAll(const TraceLibrary& library,
                                             std::span<const HostedTenant> tenants, Step now,
                                             std::uint32_t repetitions);
// Of one of them.
std::vector<DemandCurve> CurvesOf(const TraceLibrary& library,
                                  std::span<const HostedTenant> tenants,
                                  std::span<const std::vector<TraceIndex>> drawn,
                                  std::uint32_t repetition);
// In how many of the repetitions [0, repetitions) the tenants violate a threshold.
std::uint32_t CountViolations(const TraceLibrary& library, std::span<const HostedTenant> tenants,
                              Step now, const Thresholds& thresholds, std::uint32_t repetitions);

}  // namespace berth
