// The fleet at one moment of a rehearsal: how full it is, and how full it could be.
#pragma once

#include <cstdint>

#include "fleet/inventory.h"
#include "sim/volume_bound.h"

namespace berth {

struct PackingSample {
  Time at;
  double utilisation = 0;    // Allocated over all cores.
  double density = 0;        // Allocated cores over those of machines that are not empty.
  double density_bound = 0;  // What no packing exceeds; see sim/volume_bound.h.
  double memory = 0;         // Allocated over all memory.
  std::uint64_t instances = 0;
  std::uint64_t machines_in_use = 0;
  std::uint64_t machines_bound = 0;  // No packing uses fewer.
  std::uint64_t waiting = 0;
  std::uint64_t requests = 0;  // So far,
  std::uint64_t refused = 0;   // and of them refused.
};

// What the fleet tells; the rest of the sample is the caller's to fill. The bound is the fleet's.
PackingSample SamplePacking(const Inventory& fleet, const VolumeBound& bound, Time now);

}  // namespace berth
