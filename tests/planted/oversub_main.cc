// Compares the estimate of a violation with the slow reference until they are further apart than
// chance could put them: with a mistake planted in the estimate, they must be.
#include <cstdint>
#include <cstdio>

#include "oversub/agreement_testing.h"

int main() {
  constexpr std::uint64_t kMachines = 50;
  constexpr std::uint32_t kRepetitions = 10'000;
  constexpr double kStandardErrors = 8;
  for (std::uint64_t seed = 0; seed < kMachines; ++seed) {
    const auto agreement = berth::testing::RandomMachine(seed).Compare(kRepetitions);
    if (agreement.StandardErrors(kRepetitions) < kStandardErrors) continue;
    std::printf("found: estimated %.4f, reference %.4f on machine %d\n", agreement.estimated,
                agreement.reference, static_cast<int>(seed));
    return 0;
  }
  std::printf("the planted mistake was not found\n");
  return 1;
}
