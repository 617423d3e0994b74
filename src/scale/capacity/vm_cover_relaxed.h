// The cheapest cover where VMs may be rented in part: what it costs bounds every real one from
// below, and rounded up it is close to the cheapest.
#pragma once

#include <span>
#include <vector>

#include "scale/capacity/vm_filling.h"

namespace berth {

struct RelaxedCover {
  std::vector<double> vms{};  // Of each filling.
  double bound_micros = 0;    // No cover is cheaper.
};

// A linear program of as many variables as services, solved by the simplex method. Where that takes
// too many steps the bound is lower than it could be, and the VMs may not hold all.
RelaxedCover RelaxCover(std::span<const VmFilling> fillings, std::span<const VmType> types,
                        const InstanceCounts& wanted);

}  // namespace berth
