// Which VMs, perhaps of several types, hold the instances of several services at the lowest price.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "berth/resources.h"
#include "berth/status.h"
#include "scale/capacity/vm_type.h"

namespace berth {

struct InstanceDemand {
  std::string service{};
  Resources need{};  // Of one instance; not zero.
  std::uint32_t instances = 0;
};

// So many VMs of a type that hold the same.
struct VmGroup {
  std::size_t type = 0;
  std::uint64_t count = 0;
  std::vector<std::uint32_t> instances{};  // On each, by service.

  friend bool operator==(const VmGroup&, const VmGroup&) = default;
};

struct VmMix {
  std::vector<VmGroup> groups{};
  std::int64_t hour_micros = 0;
  std::int64_t bound_micros = 0;  // No mix is cheaper.
  bool exact = false;             // Then the bound is the price.
};

// What is solved exactly: by all ways to fill a VM, tried for all numbers of instances left over.
struct VmMixLimits {
  std::size_t fillings_max = 5'000;
  std::size_t steps_max = 1'000'000;
};

// Each instance on one VM. Refused, with the service's name, if no type holds an instance of it.
// Solved exactly within the limits. Otherwise the cheapest of several ways: greedy ones, of which
// one is the best single type for each service, and the solution with VMs in part, rounded.
Result<VmMix> CheapestVmMix(std::span<const InstanceDemand> demands, std::span<const VmType> types,
                            const VmMixLimits& limits = {});

// By the sums of resources alone: each bought where a weighted sum of it is cheapest.
std::int64_t VmMixBound(std::span<const InstanceDemand> demands, std::span<const VmType> types);

}  // namespace berth
