// Compares what is kept with answers from scratch until they differ: with a mistake planted in what
// is kept, they must.
#include <cstdio>
#include <memory>
#include <string>

#include "support/kept_against_scratch.h"
#include "support/made_up_outlook.h"

int main() {
  constexpr std::uint64_t kSeeds = 20;
  constexpr int kSteps = 5'000;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    std::unique_ptr<berth::Outlook> outlook;  // Some rules are silent without one.
    if (seed % 2 == 1) outlook = std::make_unique<berth::testing::MadeUpOutlook>(seed);
    berth::testing::KeptAgainstScratch fleet(seed, std::move(outlook));
    for (int step = 0; step < kSteps; ++step) {
      const std::string different = fleet.Step();
      if (different.empty()) continue;
      std::printf("found: %s differs at step %d of seed %d\n", different.c_str(), step,
                  static_cast<int>(seed));
      return 0;
    }
  }
  std::printf("the planted mistake was not found\n");
  return 1;
}
