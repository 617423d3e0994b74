// Fault simulations of many seeds, one after the other, until an invariant is broken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/faults/run.h"

namespace berth {

struct FaultSeedsOptions {
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 1;
  std::uint64_t steps = kFaultStepsMin;  // Of each.
  faults::PlantedBug planted = faults::PlantedBug::kNone;
};

// What a report draws of one seed.
struct FaultSeed {
  std::uint64_t faults = 0;
  faults::Client::Counts clients;
  faults::LoggedStore::Counts store;
};

// A soak runs for as long as somebody likes; nobody looks at more seeds than so many.
inline constexpr std::size_t kFaultSeedsKeptMax = 10'000;

struct FaultSeedsResult {
  std::uint64_t seeds = 0;                   // That were run,
  FaultResult sum;                           // what happened in all of them,
  std::vector<FaultSeed> each;               // and in each, from the first on.
  std::optional<std::uint64_t> broken_seed;  // The first in which an invariant was broken.
};

// `progress` is told each seed before it is run.
FaultSeedsResult SimulateFaultSeeds(const FaultSeedsOptions& options,
                                    const std::function<void(std::uint64_t seed)>& progress);

}  // namespace berth
