#include "forecast/ssa.h"

#include <gtest/gtest.h>

#include <cmath>

#include "berth/rng.h"

namespace berth {
namespace {

TEST(Ssa, GrowthIsOneComponent) {
  // Doubling: every window is a multiple of (1, 2, 4), and a value follows from those before it.
  std::vector<double> values;
  for (int i = 0; i < 10; ++i) values.push_back(std::pow(2, i));
  const SsaBasis basis(values, 3, 3);
  EXPECT_EQ(basis.components(), 1U);
  EXPECT_NEAR(basis.Share(1), 1, 1e-12);
  // The vector is (1, 2, 4) / sqrt(21): 4 (1, 2) / (21 - 16).
  const std::vector<double> recurrence = basis.Recurrence(1);
  EXPECT_NEAR(recurrence[0], 0.8, 1e-9);
  EXPECT_NEAR(recurrence[1], 1.6, 1e-9);
  EXPECT_NEAR(Continued(values, recurrence, 2)[1], 2'048, 1e-6);
}

TEST(Ssa, WavesAreTwoComponentsEachAndGoOn) {
  const auto value = [](int i) { return 3 * std::sin(0.3 * i) + std::cos(0.7 * i); };
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(value(i));
  const SsaBasis basis(values, 20, 10);
  EXPECT_EQ(basis.components(), 4U);
  const std::vector<double> forecast = Continued(values, basis.Recurrence(4), 30);
  for (int h = 0; h < 30; ++h) {
    EXPECT_NEAR(forecast[static_cast<std::size_t>(h)], value(100 + h), 1e-6);
  }
}

TEST(Ssa, WindowsHaveTheProductsOfTheObviousWay) {
  // As many components as dimensions project onto everything, fewer onto less, and twice is once.
  Rng rng(1);
  std::vector<double> values;
  for (int i = 0; i < 60; ++i) values.push_back(rng.Normal());
  constexpr std::size_t kWindow = 8;
  const SsaBasis basis(values, kWindow, kWindow);
  ASSERT_EQ(basis.components(), kWindow);
  EXPECT_TRUE(basis.Recurrence(kWindow).empty());
  double all = 0;
  std::vector<double> kept(kWindow + 1, 0);
  for (std::size_t k = 0; k + kWindow <= values.size(); ++k) {
    const auto window = std::span(values).subspan(k, kWindow);
    for (const double one : window) all += one * one;
    for (std::size_t count = 1; count <= kWindow; ++count) {
      const std::vector<double> projected = basis.Projected(window, count);
      for (const double one : projected) kept[count] += one * one;
      const std::vector<double> again = basis.Projected(projected, count);
      for (std::size_t j = 0; j < kWindow; ++j) EXPECT_NEAR(again[j], projected[j], 1e-9);
    }
  }
  for (std::size_t count = 1; count <= kWindow; ++count) {
    EXPECT_NEAR(basis.Share(count), kept[count] / all, 1e-9);
  }
}

}  // namespace
}  // namespace berth
