// The proposals that are about services and their instances; see propose.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/gang.h"
#include "allocate/propose.h"
#include "allocate/scratch.h"
#include "berth/rng.h"

namespace berth {

Result<Proposal> ProposeAction(const Proposing& context, const CreateService& create);
Result<Proposal> ProposeAction(const Proposing& context, const ScaleService& scale);
Result<Proposal> ProposeAction(const Proposing& context, const ResizeService& resize);
Result<Proposal> ProposeAction(const Proposing& context, const DeleteService& remove);
Result<Proposal> ProposeAction(const Proposing& context, const MoveInstance& move);
Result<Proposal> ProposeAction(const Proposing& context, const PlacePending& place);
Result<Proposal> ProposeAction(const Proposing& context, const SeatPending& seating);
Result<Proposal> ProposeAction(const Proposing& context, const SuspendInstance& suspend);

Decision NewDecision(const Proposing& context, DecisionKind kind, std::string subject);
// The draws of a decision: a matter of its id alone, so that it can be replayed.
Rng DrawsOf(const DecisionId& id);
Choosing ChoosingOf(const Proposing& context);

Status NoSuch(std::string_view what, std::string_view name);
Result<const ServiceState*> Existing(const Inventory& view, const std::string& name);

// What new instances of a service get: as much as the latest of their type, which may have been
// resized; the first of a type, as much as the type says.
Resources LimitOfNew(const Inventory& view, const ServiceState& service, TypeId type);

// Says in the decision who yields to what was placed, and has them wait.
void NoteEvictions(const GangResult& gang, Decision& decision, std::vector<Operation>& operations);
// Has those wait who yield to the seat: in the view, in the decision, and among the operations. An
// error: they hold no room any more.
Status Vacate(Inventory& view, const Seat& seat, Scratch& scratch, Proposal& proposal);
// Takes back what was proposed.
void Refuse(Proposal& proposal, std::optional<Refusal> refusal);

}  // namespace berth
