#include "forecast/fractional.h"

#include <gtest/gtest.h>

#include <cmath>

#include "forecast/made_noise_testing.h"

namespace berth {
namespace {

// As in reference_variance.R, after the draws that the other series there takes.
std::vector<double> LongMemory() {
  MadeNoise noise;
  for (int i = 0; i < 1'000; ++i) (void)noise();
  std::vector<double> drawn;
  for (int i = 0; i < 600; ++i) drawn.push_back(noise());
  std::vector<double> values = FractionalDifferences(drawn, -0.3);
  double mean = 0;
  for (const double value : values) mean += value / 600;
  for (double& value : values) value -= mean;
  return values;
}

TEST(Fractional, WeightsByHand) {
  // (1 - B)^0.5: 1, -1/2, -1/2 * 0.5/2, -1/8 * 1.5/3.
  EXPECT_EQ(FractionalWeights(0.5, 4), (std::vector<double>{1, -0.5, -0.125, -0.0625}));
  EXPECT_EQ(FractionalWeights(1, 4), (std::vector<double>{1, -1, 0, 0}));
  EXPECT_EQ(FractionalWeights(0, 3), (std::vector<double>{1, 0, 0}));
}

TEST(Fractional, OneWayAndBack) {
  const std::vector<double> values = {3, 1, 4, 1, 5, 9, 2, 6};
  const std::vector<double> back = FractionalDifferences(FractionalDifferences(values, 0.4), -0.4);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(back[i], values[i], 1e-12);
}

TEST(Fractional, AsInR) {
  const std::vector<double> values = LongMemory();
  EXPECT_NEAR(values[2], -1.929127, 1e-5);
  // R's is the exact likelihood, ours the sum of squares.
  EXPECT_NEAR(EstimateMemory(values, 0), 0.260231, 0.02);
  EXPECT_NEAR(EstimateMemory(values, 2), 0.221614, 0.06);
}

TEST(Fractional, NoiseHasNoMemoryAndAConstantNone) {
  MadeNoise noise;
  std::vector<double> values;
  for (int i = 0; i < 600; ++i) values.push_back(noise());
  EXPECT_NEAR(EstimateMemory(values, 0), 0, 0.08);
  EXPECT_EQ(EstimateMemory(std::vector<double>(100, 0), 2), 0);
}

}  // namespace
}  // namespace berth
