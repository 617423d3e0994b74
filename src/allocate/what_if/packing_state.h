// How full a fleet is at one moment.
#pragma once

#include <cstdint>

#include "fleet/inventory.h"

namespace berth {

struct PackingState {
  std::int64_t allocated_millicores = 0;
  std::int64_t in_use_millicores = 0;  // Of machines that hold an instance.
  std::int64_t all_millicores = 0;
  std::uint64_t machines = 0;
  std::uint64_t machines_in_use = 0;
  std::uint64_t instances = 0;  // That hold room,
  std::uint64_t waiting = 0;    // and that wait for it.

  // Allocated cores over those of machines in use; 0 where none is.
  double Density() const;
  // Allocated over all cores.
  double Utilisation() const;
  friend bool operator==(const PackingState&, const PackingState&) = default;
};

PackingState MeasurePacking(const Inventory& fleet);

}  // namespace berth
