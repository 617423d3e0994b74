#include "oversub/agreement_testing.h"

#include <gtest/gtest.h>

#include <limits>

namespace berth {
namespace {

TEST(EstimateAgrees, NotWhereTwoCertaintiesDiffer) {
  const auto apart = [](double estimated, double reference) {
    return testing::Agreement{estimated, reference}.StandardErrors(100);
  };
  EXPECT_EQ(apart(0, 0), 0);
  EXPECT_EQ(apart(1, 1), 0);
  EXPECT_EQ(apart(1, 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(apart(0, 1), -std::numeric_limits<double>::infinity());
  testing::AgreementCheck check(100);
  check.Add({.estimated = 1, .reference = 0});
  EXPECT_TRUE(check.Fails());
}

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
