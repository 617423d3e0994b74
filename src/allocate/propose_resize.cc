#include <fmt/format.h>

#include <algorithm>

#include "allocate/propose_service.h"
#include "fleet/predicates.h"

namespace berth {
namespace {

bool FitsWhereItIs(const Inventory& view, const Instance& instance, const Resources& before) {
  const MachineState& machine = *view.Find(instance.machine);
  return HasRoom(machine.usable, machine.allocated - before, instance.limit);
}

// The machine of the seat takes the instance, which is on none in the view, once those who yield
// are gone. One that stays where it is is asked for nothing but room, as where nobody has to yield.
Result<GangResult> TakeSeat(const Proposing& context, const Service& service,
                            const Instance& instance, const Seat& seat, MachineId from,
                            Scratch& scratch, Proposal& proposal) {
  const MachineState* machine = context.view.Find(seat.machine);
  if (machine == nullptr) {
    return Status(Code::kFailedPrecondition,
                  fmt::format("there is no machine {}; decide again", seat.machine.str()));
  }
  BERTH_RETURN_IF_ERROR(Vacate(context.view, seat, scratch, proposal));
  if (seat.machine != from) {
    return PlaceOn(ChoosingOf(context), context.view, service, instance, seat.machine);
  }
  GangResult stays;
  if (!HasRoom(machine->usable, machine->allocated, instance.limit)) {
    return Status(Code::kFailedPrecondition,
                  fmt::format("those who yield on {} leave too little room; decide again",
                              seat.machine.str()));
  }
  stays.placed.push_back({.instance = instance.id.number, .machine = from});
  return stays;
}

}  // namespace

Result<Proposal> ProposeAction(const Proposing& context, const ResizeService& resize) {
  BERTH_TRY(const ServiceState* state, Existing(context.view, resize.service));
  const Service service = state->record;
  Proposal proposal;
  Decision& decision =
      proposal.decision.emplace(NewDecision(context, DecisionKind::kResize, resize.service));
  decision.why = resize.why;
  Scratch scratch(context.view);
  std::vector<Instance> instances;
  for (const Instance& instance : state->instances) {
    if (instance.type == resize.type && instance.state != InstanceState::kEnded)
      instances.push_back(instance);
  }
  if (instances.empty()) {
    return Status(Code::kNotFound, fmt::format("service {} has no instances of type {}",
                                               resize.service, resize.type.str()));
  }
  if (context.refused) {
    Refuse(proposal, context.refused);
    return proposal;
  }
  for (Instance& instance : instances) {
    const Resources before = instance.limit;
    instance.limit = resize.limit;
    proposal.operations.emplace_back(Resize{instance.id, resize.limit});
    if (!instance.HoldsRoom()) continue;
    if (FitsWhereItIs(context.view, instance, before)) {
      scratch.Install(instance);
      continue;
    }
    const MachineId from = instance.machine;
    instance.machine = MachineId();
    scratch.Install(instance);
    GangResult found;
    const auto seat = std::ranges::find(resize.seats, instance.id.number, &Seat::number);
    if (seat == resize.seats.end()) {
      found = PlaceGang(ChoosingOf(context), context.view, service, {&instance, 1},
                        context.view.IndexOf(from));
    } else {
      BERTH_TRY(found, TakeSeat(context, service, instance, *seat, from, scratch, proposal));
    }
    std::ranges::move(found.funnels, std::back_inserter(decision.funnels));
    if (found.refusal) {
      Refuse(proposal, std::move(found.refusal));
      return proposal;
    }
    NoteEvictions(found, decision, proposal.operations);
    for (const GangResult::Eviction& eviction : found.evicted) scratch.Suspend(eviction.instance);
    instance.machine = found.placed.front().machine;
    scratch.Install(instance);
    if (instance.machine == from) continue;
    decision.placed.push_back(found.placed.front());
    proposal.operations.emplace_back(Move{instance.id, from, instance.machine});
  }
  return proposal;
}

}  // namespace berth
