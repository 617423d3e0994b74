// What-if defragmentation: which few migrations would empty machines, and what that would gain.
//
// A plan is a sequence of whole machines emptied onto others in use. Only an emptied machine raises
// packing density, and no move lowers it, so a plan may be stopped anywhere. Targets are chosen by
// the policy's validators and preferences, and every move is checked by the one validator on the
// state that the moves before it leave.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "allocate/policy.h"
#include "allocate/what_if/fragments.h"
#include "fleet/inventory.h"
#include "fleet/packing_state.h"

namespace berth {

struct PlannedMove {
  InstanceId instance;
  TypeId type;
  MachineId from;
  MachineId to;
  std::uint32_t could_take = 0;  // So many machines in use could have taken it,
  std::uint32_t choice = 0;      // and this is the policy's how-manieth choice of them, from 1.
};

struct RoomChange {
  TypeId type;
  std::uint64_t running = 0;
  std::uint64_t fit_before = 0;  // So many more of it,
  std::uint64_t fit_after = 0;   // and so many after the moves.
};

struct DefragmentPlan {
  PackingState before;
  PackingState after;
  std::vector<Fragment> fragments;  // Before.
  std::vector<PlannedMove> moves;   // In the order in which they are to be made.
  std::vector<MachineId> emptied;   // In that order too.
  std::vector<RoomChange> rooms;    // Of the commonest types.
  bool blind = false;               // The policy looks ahead, and here nothing is foreseen.

  std::int64_t FreedMillicores() const {
    return before.in_use_millicores - after.in_use_millicores;
  }
};

inline constexpr std::string_view kPlannedBlindly =
    "The policy looks ahead, which this plan does not; balance --what-if does.";

// `fleet` is under the policy that `policy` was read from. At most `moves_max` moves; those that
// free most cores per move come first. An instance moves at most once.
DefragmentPlan PlanDefragmentation(const AllocatePolicy& policy, const Inventory& fleet,
                                   std::uint64_t moves_max);

}  // namespace berth
