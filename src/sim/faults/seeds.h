// Fault simulations of many seeds, one after the other, until an invariant is broken.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "sim/faults/run.h"

namespace berth {

struct FaultSeedsOptions {
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 1;
  std::uint64_t steps = kFaultStepsMin;  // Of each.
  faults::PlantedBug planted = faults::PlantedBug::kNone;
};

struct FaultSeedsResult {
  std::uint64_t seeds = 0;                   // That were run,
  FaultResult sum;                           // and what happened in all of them.
  std::optional<std::uint64_t> broken_seed;  // The first in which an invariant was broken.
};

// `progress` is told each seed before it is run.
FaultSeedsResult SimulateFaultSeeds(const FaultSeedsOptions& options,
                                    const std::function<void(std::uint64_t seed)>& progress);

}  // namespace berth
