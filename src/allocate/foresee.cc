#include "allocate/foresee.h"

#include <fmt/format.h>

#include "base/text.h"

namespace berth {

std::optional<Foreseen> Foresee(const AllocatePolicy& policy, const Ask& ask,
                                MachineIndex machine) {
  if (ask.outlook == nullptr || !LooksAhead(policy)) return std::nullopt;
  const Outlook::Risk risk = ask.outlook->RiskOf(ask.traits, machine);
  return Foreseen{.futures = risk.repetitions,
                  .before = risk.before,
                  .after = risk.after,
                  .at_risk = risk.at_risk};
}

std::string InWords(const Foreseen& foreseen) {
  const auto percent = [&](std::uint32_t of) {
    return fmt::format("{:.4g}%", 100.0 * of / foreseen.futures);
  };
  std::string text =
      fmt::format("{} before, {} after", percent(foreseen.before), percent(foreseen.after));
  if (foreseen.after > 0) {
    text += fmt::format("; most often of {}", ResourceName(foreseen.at_risk));
  }
  return text + fmt::format(" ({} futures)", FormatCount(foreseen.futures));
}

}  // namespace berth
