#include "forecast/quasi_newton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "berth/rng.h"

namespace berth {
namespace {

TEST(QuasiNewton, FindsTheBottomOfACurvedValley) {
  const auto rosenbrock = [](std::span<const double> at) {
    return std::pow(1 - at[0], 2) + 100 * std::pow(at[1] - at[0] * at[0], 2);
  };
  const Minimum found = Descend(rosenbrock, {-1.2, 1}, {.iterations_max = 200, .tolerance = 1e-14});
  EXPECT_NEAR(found.at[0], 1, 1e-3);
  EXPECT_NEAR(found.at[1], 1, 1e-3);
  EXPECT_EQ(found.value, rosenbrock(found.at));
}

TEST(QuasiNewton, FindsTheVertexOfRandomBowls) {
  Rng rng(2);
  for (int round = 0; round < 20; ++round) {
    std::vector<double> vertex, width;
    for (int i = 0; i < 5; ++i) {
      vertex.push_back(3 * rng.Normal());
      width.push_back(0.1 + 10 * rng.Unit());
    }
    const Minimum found = Descend(
        [&](std::span<const double> at) {
          double sum = 1;
          for (std::size_t i = 0; i < 5; ++i) sum += width[i] * std::pow(at[i] - vertex[i], 2);
          return sum;
        },
        std::vector<double>(5, 0), {.tolerance = 1e-12});
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(found.at[i], vertex[i], 1e-3);
  }
}

TEST(QuasiNewton, StaysWhereItIsAllowed) {
  const auto limited = [](std::span<const double> at) {
    return at[0] < 1 ? std::numeric_limits<double>::infinity() : at[0] * at[0];
  };
  const Minimum found = Descend(limited, {3}, {});
  EXPECT_GE(found.at[0], 1);
  EXPECT_LT(found.at[0], 1.5);
}

TEST(QuasiNewton, WithoutVariablesThereIsNothingToFind) {
  EXPECT_EQ(Descend([](std::span<const double>) { return 7.0; }, {}, {}).value, 7);
}

}  // namespace
}  // namespace berth
