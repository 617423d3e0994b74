// How full a fleet is at one moment.
#pragma once

#include <cstdint>

#include "fleet/inventory.h"

namespace berth {

struct PackingState {
  ResourceTotals allocated;
  ResourceTotals capacity;             // Of all machines;
  std::int64_t in_use_millicores = 0;  // of those that hold an instance.
  std::uint64_t machines = 0;
  std::uint64_t machines_in_use = 0;
  std::uint64_t instances = 0;  // That hold room,
  std::uint64_t waiting = 0;    // and that wait for it.

  std::int64_t allocated_millicores() const;
  std::int64_t all_millicores() const;
  // Allocated cores over those of machines in use; 0 where none is.
  double Density() const;
  // Allocated over all cores, and the same of memory.
  double Utilisation() const;
  double MemoryUtilisation() const;
  friend bool operator==(const PackingState&, const PackingState&) = default;
};

PackingState MeasurePacking(const Inventory& fleet);

}  // namespace berth
