#include "sim/volume_bound.h"

#include <gtest/gtest.h>

#include <bit>

#include "berth/rng.h"
#include "fleet/fleet_testing.h"

namespace berth {
namespace {

Inventory FleetOf(const std::vector<Resources>& capacities) {
  Inventory fleet;
  for (std::size_t i = 0; i < capacities.size(); ++i) {
    Machine machine = MachineIn("m" + std::to_string(i));
    // A cluster holds one SKU.
    machine.cluster = ClusterId("c" + std::to_string(i));
    machine.capacity = capacities[i];
    fleet.Install({.key = KeyOf(machine), .record = machine, .revision = {}});
  }
  return fleet;
}

ResourceTotals Total(const Resources& amounts) {
  ResourceTotals total;
  total += amounts;
  return total;
}

TEST(VolumeBound, TakesTheMachinesWithMostOfTheScarcestResource) {
  const VolumeBound bound(FleetOf({Amounts(10, 100), Amounts(40, 100), Amounts(20, 10)}));
  EXPECT_EQ(bound.MachinesFor(Total({})), 0U);
  EXPECT_EQ(bound.MachinesFor(Total(Amounts(40, 1))), 1U);
  EXPECT_EQ(bound.MachinesFor(Total(Amounts(41, 1))), 2U);
  EXPECT_EQ(bound.MachinesFor(Total(Amounts(41, 201))), 3U);
  EXPECT_EQ(bound.MachinesFor(Total(Amounts(100, 1))), 3U);  // More than there is.
}

TEST(VolumeBound, CountsTheFewestCoresThatHoldTheMemory) {
  const VolumeBound bound(FleetOf({Amounts(10, 100), Amounts(40, 100), Amounts(20, 10)}));
  EXPECT_DOUBLE_EQ(bound.CoresFor(Total(Amounts(5, 10))), 5);
  // The first machine's memory at a tenth of a core a GiB, then half of the second's.
  EXPECT_DOUBLE_EQ(bound.CoresFor(Total(Amounts(5, 150))), 10 + 20);
}

// Any set of machines with room for all that is allocated, be it cut as one likes.
TEST(VolumeBound, NoSetOfMachinesDoesWithLess) {
  Rng rng(3);
  const auto amount = [&](std::uint64_t most) {
    return static_cast<std::int64_t>(rng.Below(most) + 1);
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<Resources> capacities(8);
    for (Resources& capacity : capacities) capacity = Amounts(amount(48), amount(400));
    const Resources allocated = Amounts(amount(150), amount(1500));
    const VolumeBound bound(FleetOf(capacities));
    for (unsigned set = 1; set < 1U << capacities.size(); ++set) {
      Resources room;
      for (std::size_t i = 0; i < capacities.size(); ++i) {
        if ((set >> i & 1U) != 0) room += capacities[i];
      }
      if (!allocated.FitsIn(room)) continue;
      ASSERT_LE(bound.MachinesFor(Total(allocated)), static_cast<unsigned>(std::popcount(set)));
      ASSERT_LE(bound.CoresFor(Total(allocated)),
                static_cast<double>(room[Resource::kCpu]) / 1000 + 1e-9);
    }
  }
}

}  // namespace
}  // namespace berth
