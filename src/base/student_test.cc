#include "base/student.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/normal.h"

namespace berth {
namespace {

TEST(Student, ByHand) {
  // One degree is Cauchy's distribution: the tangent of pi (p - 1/2).
  EXPECT_NEAR(StudentQuantile(0.75, 1), 1, 1e-12);
  EXPECT_NEAR(StudentQuantile(0.975, 1), std::tan(0.475 * std::numbers::pi), 1e-9);
  // Of two degrees x stays below t with 1/2 + t / (2 sqrt(2 + t^2)).
  EXPECT_NEAR(StudentQuantile(0.975, 2), 0.95 * std::sqrt(2 / (1 - 0.95 * 0.95)), 1e-12);
  EXPECT_NEAR(StudentQuantile(0.025, 2), -StudentQuantile(0.975, 2), 1e-12);
  EXPECT_NEAR(StudentQuantile(0.5, 7), 0, 1e-12);
}

TEST(Student, IsThatOfTables) {
  EXPECT_NEAR(StudentQuantile(0.975, 3), 3.182446, 1e-6);
  EXPECT_NEAR(StudentQuantile(0.975, 6), 2.446912, 1e-6);
  EXPECT_NEAR(StudentQuantile(0.975, 10), 2.228139, 1e-6);
  EXPECT_NEAR(StudentQuantile(0.995, 5), 4.032143, 1e-6);
  EXPECT_NEAR(StudentQuantile(0.975, 30), 2.042272, 1e-6);
}

// The density summed in small steps.
TEST(Student, HoldsWhatItsDensitySays) {
  for (const std::size_t degrees : {1U, 2U, 3U, 8U, 25U}) {
    const auto n = static_cast<double>(degrees);
    const double scale =
        std::exp(std::lgamma((n + 1) / 2) - std::lgamma(n / 2)) / std::sqrt(n * std::numbers::pi);
    const double end = StudentQuantile(0.9, degrees);
    constexpr int kSteps = 20'000;
    double sum = 0;
    for (int i = 0; i < kSteps; ++i) {
      const double x = end * (i + 0.5) / kSteps;
      sum += scale * std::pow(1 + x * x / n, -(n + 1) / 2) * end / kSteps;
    }
    EXPECT_NEAR(sum, 0.4, 1e-8) << degrees;
  }
}

TEST(Student, OfManyDegreesIsNormal) {
  EXPECT_NEAR(StudentQuantile(0.975, 999), NormalQuantile(0.975), 0.003);
  EXPECT_EQ(StudentQuantile(0.975, 1'000), NormalQuantile(0.975));
}

}  // namespace
}  // namespace berth
