// Why nothing was found, and why not that machine.
#pragma once

#include <string>
#include <vector>

#include "allocate/evaluate.h"

namespace berth {

// For an ask that no machine can take: the last obstacle, the machines that came nearest with what
// each lacks, and what would cure it. Looks at every machine with every validator.
Refusal ExplainRefusal(const AllocatePolicy& policy, const Ask& ask, const Funnel& funnel);

// Everything that a machine lacks for an ask, one line a rule; when it lacks nothing, at which
// preference it loses to the best; when it is among the best, that.
struct WhyNot {
  bool valid = false;
  bool among_best = false;
  std::vector<std::string> reasons;
  // By policies that look ahead: of it, and of the best that it loses to.
  struct Ahead {
    MachineId machine;
    Foreseen foreseen;
  };
  std::vector<Ahead> ahead;
  bool blind = false;  // The policy looks ahead, but here nothing is known.
};
WhyNot ExplainMachine(const AllocatePolicy& policy, Chooser& chooser, const Ask& ask,
                      MachineIndex machine);

}  // namespace berth
