// Machines in use whose free room is of little use to anyone.
//
// "Of use" is measured against what the fleet runs most: the commonest instance types.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fleet/inventory.h"

namespace berth {

struct CommonType {
  InstanceType type;
  std::uint64_t running = 0;  // Instances of it that hold room.
};
// The types of which most instances hold room, the commonest first; of equally many by name.
std::vector<CommonType> CommonestTypes(const Inventory& fleet, std::size_t most);

// How many more instances of a type the fleet has room for: on ready machines that may run it, by
// room alone, beside nobody who wants to be isolated.
std::uint64_t RoomFor(const Inventory& fleet, const InstanceType& type);

// A ready machine in use is fragmented when less than half of its cores are allocated, or when a
// tenth of them or more is stranded: free, but no instance of a common type could use it.
struct Fragment {
  MachineId machine;
  std::uint64_t instances = 0;
  std::int64_t millicores = 0;
  std::int64_t allocated_millicores = 0;
  std::int64_t free_millicores = 0;
  std::int64_t stranded_millicores = 0;
  Resource short_of = Resource::kCpu;  // What there is too little of for more of the types.
  bool little_used = false;
  bool stranded = false;
};
// Those with most free cores first; of equally many by name.
std::vector<Fragment> FindFragments(const Inventory& fleet, std::span<const CommonType> types);

}  // namespace berth
