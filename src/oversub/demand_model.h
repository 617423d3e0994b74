// A demand trace in 8 parameters and a peak: how memory and disk grow, what cpu it rarely exceeds,
// how long it lives.
//
// Arithmetic is exact, so that a load is the same number in whatever order it was summed. A Load is
// a whole number of 2^-16 MiB or millicores, held in a double: a demand is at most 2^26, a machine
// holds at most 2^11 tenants, so every sum is at most 2^53 and every step on the way is a whole
// number that a double holds. Slopes are whole numbers too; they are rounded up, and growth ends
// when the maximum is reached, so a model lies less than 2^-16 a step, or 2^-22 of its rise, above
// Eq. 2 and never above the maximum.
#pragma once

#include <algorithm>
#include <cstdint>

#include "oversub/demand_trace.h"

namespace berth {

using Load = double;
inline constexpr Load kLoadUnit = 65'536;  // One MiB, one millicore.
inline constexpr std::uint32_t kTenantsPerMachineMax = 1U << 11;

constexpr Load ToLoad(std::uint32_t amount) { return kLoadUnit * amount; }

// From the initial demand in a line to the maximum, then level (Eq. 2 with M - I for its M, which
// rises to I + M and drops to M as printed).
struct GrowthModel {
  std::uint32_t initial = 0;  // At age 0.
  std::uint32_t maximum = 0;
  Step growth_steps = 0;  // 0: at the maximum at once.
  // What a step adds, in a Load's unit: whole, and of no more digits than a float has.
  float slope = 0;

  Load At(Step age) const {
    if (age >= growth_steps) return ToLoad(maximum);
    return std::min(ToLoad(maximum), ToLoad(initial) + static_cast<Load>(age) * slope);
  }
};
// initial <= maximum <= kDemandMax.
GrowthModel GrowthTo(std::uint32_t initial, std::uint32_t maximum, Step growth_steps);

struct DemandModel {
  GrowthModel memory;
  GrowthModel disk;
  std::uint32_t cpu_p90 = 0;
  // Which observed peaks the trace can explain; not part of the curve.
  std::uint32_t cpu_peak = 0;
  Step lifetime = 0;
  TenantClass tenant_class{};
  TenantRole role{};

  // Of the trace, not of the curve: of cpu the curve has the 90th percentile.
  Demand Peak() const { return {cpu_peak, memory.maximum, disk.maximum}; }
};
// As published: 66 bytes with class and role.
static_assert(sizeof(DemandModel) <= 66);

// Growth ends where the squared error is least. Of the ways tried this one comes nearest to the
// probability of a violation on full traces, and errs to the safe side: see bench/oversub/fit.cc.
// The trace passes CheckTrace.
DemandModel FitModel(const DemandTrace& trace);

}  // namespace berth
