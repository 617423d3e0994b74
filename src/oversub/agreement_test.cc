#include "oversub/agreement_testing.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(EstimateAgrees, WithTheSlowReferenceOnAThousandMachines) {
  constexpr std::uint32_t kRepetitions = 10'000;
  testing::AgreementCheck check(kRepetitions);
  for (std::uint64_t seed = 0; seed < testing::AgreementCheck::kMachines; ++seed) {
    check.Add(testing::RandomMachine(seed).Compare(kRepetitions));
  }
  EXPECT_EQ(check.Complaint(), "");
}

}  // namespace
}  // namespace berth
