#include "berth/check.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Check, PassesOverWhatHolds) {
  int evaluated = 0;
  BERTH_CHECK(++evaluated == 1);
  EXPECT_EQ(evaluated, 1);
}

TEST(CheckDeathTest, AbortsSayingWhereAndWhat) {
  const bool holds = false;
  EXPECT_DEATH(BERTH_CHECK(holds), "check_test.cc:[0-9]+: check failed: holds");
}

}  // namespace
}  // namespace berth
