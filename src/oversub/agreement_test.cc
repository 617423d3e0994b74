#include "oversub/agreement_testing.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

constexpr std::uint32_t kRepetitions = 10'000;
constexpr std::uint64_t kShards = 20;
constexpr std::uint64_t kMachinesPerShard = 50;

// A thousand machines in twenty parts, so that they run beside each other.
class EstimateAgrees : public ::testing::TestWithParam<std::uint64_t> {};

// Of 50 that agree, 0.1 are over three standard errors by chance: more than two would be one part
// in 4,000. Over five standard errors chance has none.
TEST_P(EstimateAgrees, WithTheSlowReferenceWithinThreeStandardErrors) {
  int over_three = 0;
  for (std::uint64_t i = 0; i < kMachinesPerShard; ++i) {
    testing::RandomMachine machine(GetParam() * kMachinesPerShard + i);
    const testing::Agreement agreement = machine.Compare(kRepetitions);
    const double apart = agreement.StandardErrors(kRepetitions);
    EXPECT_LT(apart, 5) << agreement.estimated << " and " << agreement.reference;
    if (apart > 3) ++over_three;
  }
  EXPECT_LE(over_three, 2);
}

INSTANTIATE_TEST_SUITE_P(OnAThousandMachines, EstimateAgrees, ::testing::Range(0UL, kShards));

}  // namespace
}  // namespace berth
