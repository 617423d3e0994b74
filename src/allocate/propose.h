// What a request would do to the fleet as an agent sees it: the operations to commit, and the
// decision that explains them. Proposing changes nothing.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "allocate/chooser.h"
#include "berth/request.h"

namespace berth {

struct Proposal {
  std::vector<Operation> operations;
  // None for what is merely reported. A refusal has no operations but is kept, so that it can be
  // explained later.
  std::optional<Decision> decision;
};

struct Proposing {
  const AllocatePolicy& policy;
  Chooser& chooser;
  Inventory& view;  // A scratch pad while proposing, as before afterwards.
  DecisionId id;    // Its draws are seeded by it.
  Time now;
  bool behind_others = false;
  const std::optional<Refusal>& refused;  // As decided before.
  bool avoid_conflicts = false;           // Choose among more machines than the best.
  ArmId arm = {};                         // Of the experiment, when one is running.
  Outlook* outlook = nullptr;
  std::function<bool(MachineId)> avoids = {};  // As the request has it.
};

// A Status is bad input: an unknown service, a policy that does not parse.
Result<Proposal> Propose(const Proposing& context, const Action& action);

}  // namespace berth
