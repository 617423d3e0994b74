// Ways to fill one VM with instances of several services.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scale/capacity/vm_mix.h"

namespace berth {

using InstanceCounts = std::vector<std::uint32_t>;  // By service.

struct VmFilling {
  std::size_t type = 0;
  InstanceCounts instances{};
};

// What a VM with these instances takes.
Resources ResourcesOf(std::span<const InstanceDemand> demands, const InstanceCounts& instances);

// All ways to fill a VM of any type to which no further instance of the demands can be added; none
// if there are over `limit`. Of two types the dearer is left out where the other holds the same.
std::optional<std::vector<VmFilling>> AllFillings(std::span<const InstanceDemand> demands,
                                                  std::span<const VmType> types, std::size_t limit);

// One way to fill a VM of this capacity with those that are left: again and again the instance
// whose need points most into the direction of what is free.
InstanceCounts FillByDirection(std::span<const InstanceDemand> demands, const Resources& capacity,
                               const InstanceCounts& left);
// Another: as many as fit of the service with the largest instances (Eq. 2.16), then of the next.
InstanceCounts FillBySize(std::span<const InstanceDemand> demands, const Resources& capacity,
                          const InstanceCounts& left);

// The cheapest type that holds these; of equals the first. None if there is none.
std::optional<std::size_t> CheapestHolding(const Resources& load, std::span<const VmType> types);

}  // namespace berth
