// The exact solution of small cases: the cheapest fillings that together hold all instances.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "scale/capacity/vm_filling.h"

namespace berth {

// The cheapest VMs that hold `wanted`, at most as many instances as the demands have; of equals the
// fewest VMs. None if it takes over `steps_max` steps. Each VM holds what is left when it is its
// turn, so the sum is exactly `wanted`.
std::optional<std::vector<VmFilling>> CheapestCover(std::span<const VmFilling> fillings,
                                                    std::span<const VmType> types,
                                                    const InstanceCounts& wanted,
                                                    std::size_t steps_max);

}  // namespace berth
