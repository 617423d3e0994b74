// The proposals that are about services and their instances; see propose.h.
#pragma once

#include <string>

#include "allocate/propose.h"
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

}  // namespace berth
