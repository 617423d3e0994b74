// The probability of a violation is not checked at commit: agents that place on one machine at the
// same time may together do what each of them would not. Here is counted how often.
#include <utility>

#include "allocate/agent.h"
#include "allocate/foresee.h"

namespace berth {

void Agent::CheckMerged() {
  std::erase_if(merged_, [&](const Merged& merged) {
    if (merged.revision > view_.revision()) return false;
    CountExceeded(*merged.job, merged.decision);
    return true;
  });
}

void Agent::CountExceeded(const Job& job, const Decision& decision) {
  const std::optional<std::uint32_t> theta = ArmOf(job).policy.theta();
  if (outlook_ == nullptr || !theta) return;
  const Outlook& outlook = *FollowedOutlook();
  for (const Placement& placement : decision.placed) {
    const std::optional<Foreseen>& foreseen = placement.foreseen;
    if (!foreseen || !IsBelow(foreseen->after, foreseen->futures, *theta)) continue;
    const Instance* placed = view_.Find(InstanceId{decision.subject, placement.instance});
    if (placed == nullptr || placed->machine != placement.machine) continue;
    const Service& service = view_.FindService(decision.subject)->record;
    const Footprint nowhere;
    const Ask ask = AskFor(view_, service, *placed, nowhere, &outlook);
    const Outlook::Risk risk = outlook.RiskOf(ask.traits, *view_.IndexOf(placed->machine));
    // It is there already, so this is what is before one more.
    if (!IsBelow(risk.before, risk.repetitions, *theta)) Count(job, &DecidingStats::exceeded);
  }
}

}  // namespace berth
