// Which few instances to move so that one that waits finds room on one machine.
//
// Room in sum is of no use to an instance when no machine has enough of it. A plan frees enough on
// one machine that lacks nothing else: as few instances as can be, and of as few the ones that take
// least of their machine. Each goes where the policy's rules would put it, and nowhere that would
// then be likelier to be asked for more than it has than the policy accepts; where that is
// foreseen, no two go to one machine.
#pragma once

#include <optional>
#include <vector>

#include "allocate/outlook.h"
#include "allocate/policy.h"
#include "allocate/what_if/defragment.h"
#include "fleet/inventory.h"

namespace berth {

inline constexpr std::size_t kRoomMovesMax = 3;

struct RoomPlan {
  MachineId machine;               // That will have the room.
  std::vector<PlannedMove> moves;  // In the order in which they are to be made.
};

// None: there is room already, or no way was found to make it. On large fleets not all ways are
// tried: the machines that lack least are looked at, and the smallest moves first.
std::optional<RoomPlan> PlanRoom(const AllocatePolicy& policy, const Inventory& fleet,
                                 const Instance& waiting, const Outlook* outlook = nullptr);

}  // namespace berth
