#include "scale/capacity/vm_count.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "scale/capacity/capacity_testing.h"

namespace berth {
namespace {

TEST(VmCount, TheBoundLetsAnInstanceStraddleVms) {
  // Five instances of 3 cpu take 15 of cpu: two VMs of 8 by Eq. 7.9; but a VM holds only two.
  EXPECT_EQ(VmCountBound(5, CpuAndMemory(3, 1), CpuAndMemory(8, 64)), 2U);
  EXPECT_EQ(VmCount(5, CpuAndMemory(3, 1), CpuAndMemory(8, 64)), 3U);
}

TEST(VmCount, TheScarcestResourceDecides) {
  // By cpu four fit, by memory two.
  EXPECT_EQ(InstancesPerVm(CpuAndMemory(1, 4), CpuAndMemory(4, 8)), 2U);
  EXPECT_EQ(VmCountBound(7, CpuAndMemory(1, 4), CpuAndMemory(4, 8)), 4U);
  EXPECT_EQ(VmCount(7, CpuAndMemory(1, 4), CpuAndMemory(4, 8)), 4U);
}

TEST(VmCount, WhatDoesNotFitHasNone) {
  EXPECT_EQ(VmCount(1, CpuAndMemory(5, 1), CpuAndMemory(4, 8)), std::nullopt);
  EXPECT_EQ(VmCountBound(1, CpuAndMemory(1, 1), CpuAndMemory(4, 0)), std::nullopt);
  EXPECT_EQ(VmCount(0, CpuAndMemory(1, 1), CpuAndMemory(4, 8)), 0U);
}

TEST(VmCount, TheCheapestTypeIsTaken) {
  const std::vector<VmType> types = {TypeOf("small", 2, 4, 0.10), TypeOf("large", 8, 16, 0.36),
                                     TypeOf("tall", 2, 16, 0.09)};
  // Five of 1 cpu and 3 GiB: small holds one (5 x 0.10), large five (0.36), tall two (3 x 0.09).
  const VmChoice choice = *CheapestVmType(5, CpuAndMemory(1, 3), types);
  EXPECT_EQ(choice.type, 2U);
  EXPECT_EQ(choice.count, 3U);
  EXPECT_EQ(choice.count_bound, 3U);
  EXPECT_EQ(choice.hour_micros, 270'000);
  EXPECT_EQ(CheapestVmType(5, CpuAndMemory(9, 3), types), std::nullopt);
}

// VMs filled one instance at a time: the slow and obvious count.
std::uint64_t CountByFilling(std::uint32_t instances, const Resources& need,
                             const Resources& capacity) {
  std::uint64_t vms = 0;
  Resources free;
  for (std::uint32_t i = 0; i < instances; ++i) {
    if (!need.FitsIn(free)) {
      ++vms;
      free = capacity;
    }
    free -= need;
  }
  return vms;
}

TEST(VmCount, IsThatOfFillingAndNeverBelowTheBound) {
  Rng rng(1);
  for (int round = 0; round < 2'000; ++round) {
    const auto draw = [&](std::uint64_t most) {
      return static_cast<std::int64_t>(1 + rng.Below(most));
    };
    const Resources need = CpuAndMemory(draw(5), draw(5));
    const Resources capacity = CpuAndMemory(draw(12), draw(12));
    const auto instances = static_cast<std::uint32_t>(rng.Below(40));
    const auto count = VmCount(instances, need, capacity);
    if (!need.FitsIn(capacity)) {
      EXPECT_FALSE(count);
      continue;
    }
    EXPECT_EQ(*count, CountByFilling(instances, need, capacity));
    EXPECT_GE(*count, *VmCountBound(instances, need, capacity));
  }
}

}  // namespace
}  // namespace berth
