// Algorithm 1 as the paper words it: drawn traces in full, added up at every step. The reference of
// the forms in violation.h, which have a model for each trace.
#pragma once

#include <cstdint>
#include <span>

#include "oversub/violation.h"

namespace berth {

// Whether these traces, laid over the tenants' times, violate a threshold at any step after now.
// The traces are in the tenants' order; nullptr is what is held for ever.
bool ViolatesOnTraces(std::span<const HostedTenant> tenants,
                      std::span<const DemandTrace* const> traces, Step now,
                      const Thresholds& thresholds);
// In how many of the repetitions [0, repetitions) the tenants violate a threshold, each with the
// trace whose model CountViolations draws. The library has the models of these traces, in its order
// (SortAsInLibrary); that D(db) is theirs too is checked by looking at them all.
std::uint32_t CountViolationsOnTraces(const TraceLibrary& library,
                                      std::span<const DemandTrace> traces,
                                      std::span<const HostedTenant> tenants, Step now,
                                      const Thresholds& thresholds, std::uint32_t repetitions);

}  // namespace berth
