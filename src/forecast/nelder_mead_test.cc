#include "forecast/nelder_mead.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace berth {
namespace {

TEST(NelderMead, FindsTheBottomOfRosenbrocksValley) {
  const Minimum minimum = Minimise(
      [](std::span<const double> at) {
        return 100 * std::pow(at[1] - at[0] * at[0], 2) + std::pow(1 - at[0], 2);
      },
      {-1.2, 1}, std::vector<double>{0.5, 0.5}, {.evaluations_max = 1'000, .tolerance = 1e-14});
  EXPECT_NEAR(minimum.at[0], 1, 1e-5);
  EXPECT_NEAR(minimum.at[1], 1, 1e-5);
}

TEST(NelderMead, InfinityIsAWall) {
  const Minimum minimum = Minimise(
      [](std::span<const double> at) {
        return at[0] < 2 ? std::numeric_limits<double>::infinity() : at[0] * at[0];
      },
      {5}, std::vector<double>{1}, {.evaluations_max = 200, .tolerance = 1e-12});
  EXPECT_NEAR(minimum.at[0], 2, 1e-3);
}

TEST(NelderMead, EndsAfterSoManyEvaluations) {
  std::size_t calls = 0;
  const auto count = [&](std::span<const double> at) {
    ++calls;
    return std::abs(at[0]) + std::abs(at[1]);
  };
  (void)Minimise(count, {1e9, 1e9}, std::vector<double>{1, 1},
                 {.evaluations_max = 50, .tolerance = 0});
  EXPECT_GE(calls, 50U);
  EXPECT_LE(calls, 54U);  // A step that shrinks asks twice, and once a corner.
}

}  // namespace
}  // namespace berth
