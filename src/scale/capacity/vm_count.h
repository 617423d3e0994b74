// How many VMs of one type hold so many equal instances, and which type is the cheapest.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "berth/resources.h"
#include "scale/capacity/vm_type.h"

namespace berth {

// Of each resource as many VMs as their sum takes, and the most of these (Eq. 7.9 of the thesis on
// predictive autoscaling). A lower bound: it lets an instance straddle VMs. None if a VM lacks a
// resource that an instance needs.
std::optional<std::uint64_t> VmCountBound(std::uint32_t instances, const Resources& need,
                                          const Resources& capacity);

// Instances that a VM holds, by its scarcest resource. `need` is not zero.
std::uint32_t InstancesPerVm(const Resources& need, const Resources& capacity);

// VMs that hold all: the instances over those a VM holds, rounded up. None if it holds none.
std::optional<std::uint64_t> VmCount(std::uint32_t instances, const Resources& need,
                                     const Resources& capacity);

struct VmChoice {
  std::size_t type = 0;
  std::uint64_t count = 0;
  std::uint64_t count_bound = 0;
  std::int64_t hour_micros = 0;  // Eq. 7.10 for an hour.
};

// The cheapest one type for all instances; of equals the fewest VMs, then the first. None if no
// type holds an instance.
std::optional<VmChoice> CheapestVmType(std::uint32_t instances, const Resources& need,
                                       std::span<const VmType> types);

}  // namespace berth
