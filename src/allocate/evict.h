// Who goes when a machine takes an instance that it has no free room for: instances of classes that
// the policy calls evictable, as few as can be found. They wait for other room.
#pragma once

#include <vector>

#include "fleet/inventory.h"

namespace berth {

// The room that instances which may be evicted hold there.
Resources EvictableRoom(const Inventory& inventory, const MachineState& machine);

// Instances that leave room for `need` when they go, in the order of ids; none when there is room
// already or all that may be evicted are not enough. Each covers the most of what the ones before
// it left lacking, the latest created first where equal, and none is there for nothing.
std::vector<const Instance*> ChooseVictims(const Inventory& inventory, const MachineState& machine,
                                           const Resources& need);

}  // namespace berth
