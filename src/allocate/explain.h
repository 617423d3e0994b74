// Decisions and their reasons as text for people.
//
// Explaining reads what was counted while deciding; it recomputes nothing. Only "why not that
// machine" looks at the fleet, as it is now.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "allocate/policy.h"
#include "allocate/refusal.h"
#include "berth/decision.h"

namespace berth {

// One line: "accepted a0-4: web/0 on a, web/1 on b", "refused a0-5: none of 2 machines can take
// an instance... [fits, cure more-machines]".
std::string SummarizeDecision(const Decision& decision);

// A few paragraphs: what was decided, how the machines were narrowed down, and for a refusal what
// eliminated how many, the nearest machines with what each lacked, and what would cure it.
std::string ExplainDecision(const Decision& decision);

// Why an instance is not, or could not be, on a machine: of a service that exists, its numbered
// instance as if it were to be placed anew, or one more of its first group. `view` is used as a
// scratch pad.
struct Asking {
  const AllocatePolicy& policy;
  Chooser& chooser;
  const Outlook* outlook = nullptr;  // Null: nothing is foreseen.
};
Result<WhyNot> AskWhyNot(const Asking& asking, Inventory& view, const Service& service,
                         std::optional<std::uint32_t> number, MachineId machine);
std::string ExplainWhyNot(const WhyNot& why, const std::string& instance, MachineId machine);

}  // namespace berth
