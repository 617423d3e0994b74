#include <fmt/format.h>

#include <algorithm>

#include "allocate/gang.h"
#include "allocate/propose_service.h"
#include "allocate/scratch.h"

namespace berth {
namespace {

Status NotThere(std::string_view what) {
  return Status(Code::kFailedPrecondition, fmt::format("{}; decide again", what));
}

}  // namespace

Status Vacate(Inventory& view, const Seat& seat, Scratch& scratch, Proposal& proposal) {
  for (const Seat::Yields& victim : seat.victims) {
    const Instance* instance = view.Find(victim.instance);
    if (instance == nullptr || !instance->HoldsRoom()) {
      return NotThere(fmt::format("{} holds no room to yield", ToString(victim.instance)));
    }
    proposal.operations.emplace_back(
        SetPending{victim.instance, instance->machine, WaitReason::kPreempted});
    proposal.decision->evicted.push_back(victim.instance);
    proposal.decision->yielded.push_back(
        {.to = seat.number, .spare = victim.spare, .left = seat.left});
    scratch.Suspend(victim.instance);
  }
  return {};
}

void Refuse(Proposal& proposal, std::optional<Refusal> refusal) {
  proposal.operations.clear();
  Decision& decision = *proposal.decision;
  decision.refusal = std::move(refusal);
  decision.placed.clear();
  decision.evicted.clear();
  decision.yielded.clear();
}

Result<Proposal> ProposeAction(const Proposing& context, const SeatPending& seating) {
  const ServiceState* state = context.view.FindService(seating.service);
  if (state == nullptr) return NotThere(fmt::format("there is no service {}", seating.service));
  const Service service = state->record;
  Proposal proposal;
  Decision& decision =
      proposal.decision.emplace(NewDecision(context, DecisionKind::kMove, seating.service));
  decision.reason = MoveReason::kWaited;
  Scratch scratch(context.view);
  for (const Seat& seat : seating.seats) {
    const InstanceId id{seating.service, seat.number};
    const Instance* waiting = context.view.Find(id);
    if (waiting == nullptr || waiting->state != InstanceState::kPending) {
      return NotThere(fmt::format("{} does not wait", ToString(id)));
    }
    if (context.view.Find(seat.machine) == nullptr) {
      return NotThere(fmt::format("there is no machine {}", seat.machine.str()));
    }
    Instance instance = *waiting;
    BERTH_RETURN_IF_ERROR(Vacate(context.view, seat, scratch, proposal));
    GangResult found = PlaceOn({.policy = context.policy,
                                .chooser = context.chooser,
                                .rng = DrawsOf(context.id),
                                .outlook = context.outlook},
                               context.view, service, instance, seat.machine);
    if (found.refusal) {
      Refuse(proposal, std::move(found.refusal));
      return proposal;
    }
    decision.placed.push_back(found.placed.front());
    proposal.operations.emplace_back(Move{id, MachineId(), seat.machine});
    instance.machine = seat.machine;
    instance.state = InstanceState::kPlaced;
    scratch.Install(instance);
  }
  return proposal;
}

}  // namespace berth
