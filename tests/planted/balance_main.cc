// Compares the balancer's figures with the slow reference until they differ: with a mistake planted
// in the balancer, they must.
#include <cstdint>
#include <cstdio>

#include "oversub/balance_reference_testing.h"

int main() {
  using berth::testing::kBalanceNow;
  using berth::testing::kBalanceRepetitions;
  constexpr int kRounds = 200;
  constexpr int kMoves = 40;
  berth::Rng rng(9);
  for (int round = 0; round < kRounds; ++round) {
    const auto balance = berth::testing::NewRandomBalance(rng);
    auto state = berth::BalanceState::Build(balance.problem, balance.library, kBalanceNow,
                                            {.repetitions = kBalanceRepetitions})
                     .value();
    for (int move = 0; move < kMoves; ++move) {
      const berth::testing::SlowBalance slow(balance, state);
      const auto replica = static_cast<std::uint32_t>(rng.Below(balance.problem.replicas.size()));
      const auto to = static_cast<std::uint32_t>(rng.Below(balance.problem.machines.size()));
      if (state.figures() != slow.Figures() ||
          state.Admits(replica, to) != slow.Admits(replica, to, UINT64_MAX)) {
        std::printf("found: different after %d moves of round %d\n", move, round);
        return 0;
      }
      state.Move(replica, to);
    }
  }
  std::printf("the planted mistake was not found\n");
  return 1;
}
