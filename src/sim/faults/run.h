// A fault simulation of the whole control plane: engines in processes that crash, a store that
// syncs to a disk, clients and watchers over a network that loses, delays and doubles, everything
// drawn from one seed. Whatever happens, the promises must hold after every step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/faults/client.h"
#include "sim/faults/fault.h"
#include "sim/faults/logged_store.h"

namespace berth {

inline constexpr std::uint64_t kFaultStepsMin = 2'000;

struct FaultOptions {
  std::uint64_t seed = 1;
  // Before the world is healed; more if by then not every kind of fault has happened.
  std::uint64_t steps = kFaultStepsMin;
  faults::PlantedBug planted = faults::PlantedBug::kNone;
  bool scheduler = false;  // Who yields is decided by the qos scheduler.
};

struct FaultResult {
  std::uint64_t steps = 0;
  faults::FaultCounts faults{};
  faults::LoggedStore::Counts store;
  faults::Client::Counts clients;
  std::uint64_t preemptions = 0;      // That a scheduler decided.
  std::uint64_t unseed = 0;           // A digest of all that was committed and told.
  std::optional<std::string> broken;  // The first invariant that did not hold, in a sentence,
  std::vector<std::string> story;     // and the last steps before it.
};

FaultResult SimulateFaults(const FaultOptions& options);

}  // namespace berth
