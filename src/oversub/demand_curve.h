// A model laid over the time of one tenant: what a repetition takes the tenant to need, and when.
#pragma once

#include <algorithm>

#include "oversub/demand_model.h"
#include "oversub/hosted_tenant.h"
#include "oversub/trace_library.h"

namespace berth {

// The end of a tenant that no trace stands for. No real moment: the last departure of all.
inline constexpr Step kForever = INT32_MAX;

struct DemandCurve {
  struct Growing {
    Load initial = 0;
    Load slope = 0;
    Load maximum = 0;
  };

  Step creation = 0;
  Step end = 0;         // The last moment at which the tenant is there.
  Step growth_end = 0;  // From here on it needs its maximum of everything.
  Load cpu = 0;
  Growing memory;
  Growing disk;

  // At a moment after the creation. Never falls until the end; after it, nothing is needed.
  Load At(DemandResource resource, Step moment) const {
    if (moment > end) return 0;
    if (moment >= growth_end) return Maximum(resource);
    const auto age = static_cast<Load>(moment - creation);
    switch (resource) {
      case DemandResource::kCpu:
        return cpu;
      case DemandResource::kMemory:
        return std::min(memory.maximum, memory.initial + age * memory.slope);
      case DemandResource::kDisk:
        return std::min(disk.maximum, disk.initial + age * disk.slope);
    }
    return 0;
  }
  PerResource<Load> At(Step moment) const {
    using enum DemandResource;
    return {At(kCpu, moment), At(kMemory, moment), At(kDisk, moment)};
  }
  Load Maximum(DemandResource resource) const {
    switch (resource) {
      case DemandResource::kCpu:
        return cpu;
      case DemandResource::kMemory:
        return memory.maximum;
      case DemandResource::kDisk:
        return disk.maximum;
    }
    return 0;
  }
};

// What the tenant draws in a repetition: the trace's curve, or for kNoTrace what is held for
// ever.
DemandCurve CurveOf(const TraceLibrary& library, const HostedTenant& tenant, TraceIndex drawn);

}  // namespace berth
