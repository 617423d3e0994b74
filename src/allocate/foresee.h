// What a policy that looks ahead foresees of a machine.
#pragma once

#include <optional>
#include <string>

#include "allocate/policy.h"
#include "berth/decision.h"

namespace berth {

inline bool LooksAhead(const AllocatePolicy& policy) { return policy.reads.Has(Trait::kEpoch); }

// With the instance and without it; nothing where the policy does not ask or nothing is known.
std::optional<Foreseen> Foresee(const AllocatePolicy& policy, const Ask& ask, MachineIndex machine);

// "1% before, 40% after; most often of cpu (100 futures)".
std::string InWords(const Foreseen& foreseen);

}  // namespace berth
