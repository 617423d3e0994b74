// Simulated annealing over a BalanceState: random moves, worse ones taken the less readily the
// later it is.
//
// The schedule: the temperature falls geometrically, step by step, from the median change of energy
// of a hundred random moves to a thousandth of it. A step draws a replica and a machine; one in
// four sends the replica home, and while a machine is violated every other step draws its replica
// there. A move that is not admitted costs the step; replicas that are nowhere stay there. At the
// end the state is the best that was seen, less the moves that turned out to be of no use.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "berth/rng.h"
#include "oversub/balance_state.h"

namespace berth {

struct AnnealOptions {
  std::uint64_t steps = 20'000;
  std::function<void(std::uint64_t done)> on_progress = {};
};

struct AnnealResult {
  std::uint64_t admitted = 0;  // Of the steps: the moves that were scored,
  std::uint64_t taken = 0;     // and of those, the ones made.
};

AnnealResult Anneal(BalanceState& state, const AnnealOptions& options, Rng& rng);

// Where a replica that is nowhere, or any other, has the least energy; of equal ones the first.
std::optional<std::uint32_t> BestMachineFor(const BalanceState& state, std::uint32_t replica);

}  // namespace berth
