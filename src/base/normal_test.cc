#include "base/normal.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Normal, TheQuantilesAreThoseOfTheTables) {
  EXPECT_NEAR(NormalQuantile(0.5), 0, 1e-12);
  EXPECT_NEAR(NormalQuantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(NormalQuantile(0.1), -1.2815515655446004, 1e-12);
  EXPECT_NEAR(NormalQuantile(0.999), 3.090232306167813, 1e-12);
}

TEST(Normal, TheUpperTailsAreThoseOfTheTables) {
  EXPECT_NEAR(NormalUpperTail(0), 0.5, 1e-15);
  EXPECT_NEAR(NormalUpperTail(1.959963984540054), 0.025, 1e-15);
  EXPECT_NEAR(NormalUpperTail(-1), 0.8413447460685429, 1e-15);
}

}  // namespace
}  // namespace berth
