// What is kept between asks answers as if worked out from scratch, whatever happened in between.
#include "allocate/evaluator.h"

#include <gtest/gtest.h>

#include "support/kept_against_scratch.h"
#include "support/made_up_outlook.h"

namespace berth {
namespace {

class KeptAnswers : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(KeptAnswers, AreThoseFromScratch) {
  constexpr int kSteps = 60'000;
  testing::KeptAgainstScratch fleet(GetParam());
  for (int step = 0; step < kSteps; ++step) {
    const std::string different = fleet.Step();
    ASSERT_EQ(different, "") << "step " << step;
  }
  // Otherwise nothing was compared.
  EXPECT_GT(fleet.hits(), kSteps / 2U);
  EXPECT_GT(fleet.found(), kSteps / 10U);
  EXPECT_GT(fleet.refused(), kSteps / 100U);
}

// Of most machines that are not the best, rules that look ahead say at first only that they are
// not.
TEST_P(KeptAnswers, AreThoseFromScratchWhereRulesAreVague) {
  constexpr int kSteps = 3'000;
  testing::KeptAgainstScratch fleet(GetParam(), std::make_unique<testing::MadeUpOutlook>(1));
  for (int step = 0; step < kSteps; ++step) {
    const std::string different = fleet.Step();
    ASSERT_EQ(different, "") << "step " << step;
  }
  EXPECT_GT(fleet.hits(), kSteps / 4U);
  EXPECT_GT(fleet.found(), kSteps / 10U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, KeptAnswers, ::testing::Range<std::uint64_t>(0, 10));

}  // namespace
}  // namespace berth
