#include "allocate/what_if/defragment.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "allocate/foresee.h"
#include "allocate/what_if/mover.h"
#include "fleet/predicates.h"

namespace berth {
namespace {

constexpr std::size_t kCommonTypes = 3;

// Draining and failed machines are emptied by the engine in any case; one that is updated comes
// back as it was.
bool MayBeEmptied(const MachineState& machine) {
  return !machine.vacant() && !machine.instances.empty() &&
         TakesPlacements(machine.record.health) && machine.record.capacity[Resource::kCpu] > 0;
}

bool FreesMorePerMove(const MachineState& a, const MachineState& b) {
  const auto weighed = [](const MachineState& machine, const MachineState& other) {
    return ResourceTotals::Wide{machine.record.capacity[Resource::kCpu]} *
           static_cast<std::int64_t>(other.instances.size());
  };
  if (weighed(a, b) != weighed(b, a)) return weighed(a, b) > weighed(b, a);
  // Then those that take least of the room that others need.
  return std::tuple(a.instances.size(), a.allocated[Resource::kCpu], a.record.name) <
         std::tuple(b.instances.size(), b.allocated[Resource::kCpu], b.record.name);
}

std::vector<MachineId> MostFreedPerMoveFirst(const Inventory& fleet) {
  std::vector<const MachineState*> machines;
  for (const MachineState& machine : fleet.machines()) {
    if (MayBeEmptied(machine)) machines.push_back(&machine);
  }
  std::ranges::sort(machines, [](const MachineState* a, const MachineState* b) {
    return FreesMorePerMove(*a, *b);
  });
  std::vector<MachineId> names;
  names.reserve(machines.size());
  for (const MachineState* machine : machines) names.push_back(machine->record.name);
  return names;
}

// The largest have the fewest machines to go to.
std::vector<InstanceId> LargestFirst(const Inventory& fleet, MachineIndex machine) {
  const MachineState& state = fleet[machine];
  const auto size = [&](const InstanceId& id) {
    double most = 0;
    for (const Resource r : kAllResources) {
      if (state.usable[r] <= 0) continue;
      most = std::max(most, static_cast<double>(fleet.Find(id)->limit[r]) /
                                static_cast<double>(state.usable[r]));
    }
    return -most;
  };
  std::vector<InstanceId> ids;
  for (const InstanceRef& ref : state.instances) {
    ids.push_back({fleet[ref.service].record.name, ref.number});
  }
  std::ranges::sort(ids);
  std::ranges::stable_sort(ids, {}, size);
  return ids;
}

// Who moves onto an empty machine gains nothing.
void CloseEmptyMachines(Mover& mover) {
  for (std::uint32_t i = 0; i < mover.fleet().machines().size(); ++i) {
    const MachineState& machine = mover.fleet().machines()[i];
    if (!machine.vacant() && machine.instances.empty()) mover.Close(MachineIndex{i});
  }
}

// Each machine is tried once. One that took what left others stays, so that nothing moves twice;
// so the order does not change on the way, and the room that is left only shrinks.
void PlanMoves(const AllocatePolicy& policy, const Inventory& fleet, std::uint64_t moves_max,
               DefragmentPlan& plan) {
  Mover mover(policy, fleet);
  CloseEmptyMachines(mover);
  std::set<MachineId> took;
  for (const MachineId name : MostFreedPerMoveFirst(fleet)) {
    const MachineIndex index = *fleet.IndexOf(name);
    const std::uint64_t moves_left = moves_max - plan.moves.size();
    if (took.contains(name) || fleet[index].instances.size() > moves_left) continue;
    const std::optional<std::vector<PlannedMove>> moves =
        mover.MoveAway(LargestFirst(mover.fleet(), index));
    if (!moves) continue;
    mover.Close(index);
    plan.emptied.push_back(name);
    for (const PlannedMove& move : *moves) {
      plan.moves.push_back(move);
      took.insert(move.to);
    }
  }
}

Inventory WithMoves(Inventory fleet, const std::vector<PlannedMove>& moves) {
  for (const PlannedMove& move : moves) {
    Instance instance = *fleet.Find(move.instance);
    instance.machine = move.to;
    fleet.Install({.key = KeyOf(instance.id), .record = instance, .revision = fleet.revision()});
  }
  return fleet;
}

}  // namespace

DefragmentPlan PlanDefragmentation(const AllocatePolicy& policy, const Inventory& fleet,
                                   std::uint64_t moves_max) {
  DefragmentPlan plan;
  plan.blind = LooksAhead(policy);
  const std::vector<CommonType> types = CommonestTypes(fleet, kCommonTypes);
  plan.before = MeasurePacking(fleet);
  plan.fragments = FindFragments(fleet, types);
  // Where nothing takes a core no density can rise.
  if (plan.before.allocated_millicores() > 0) PlanMoves(policy, fleet, moves_max, plan);
  const Inventory after = WithMoves(fleet, plan.moves);
  plan.after = MeasurePacking(after);
  for (const CommonType& common : types) {
    plan.rooms.push_back({.type = common.type.name,
                          .running = common.running,
                          .fit_before = RoomFor(fleet, common.type),
                          .fit_after = RoomFor(after, common.type)});
  }
  return plan;
}

}  // namespace berth
