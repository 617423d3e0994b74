#include "base/quantiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "berth/rng.h"

namespace berth {
namespace {

TEST(Quantile, IsTheNearestRank) {
  const std::vector<double> samples = {50, 15, 40, 20, 35};
  EXPECT_EQ(Quantile(samples, 0), 15);
  EXPECT_EQ(Quantile(samples, 0.05), 15);
  EXPECT_EQ(Quantile(samples, 0.2), 15);
  EXPECT_EQ(Quantile(samples, 0.21), 20);
  EXPECT_EQ(Quantile(samples, 0.5), 35);
  EXPECT_EQ(Quantile(samples, 0.99), 50);
  EXPECT_EQ(Quantile(samples, 1), 50);
  EXPECT_EQ(Quantile({7}, 0.5), 7);
}

TEST(Quantile, EveryPercentileOfAHundredIsItsRank) {
  std::vector<double> samples;
  for (int i = 1; i <= 100; ++i) samples.push_back(i);
  Rng(51).Shuffle(std::span<double>(samples));
  for (int percent = 1; percent <= 100; ++percent) {
    EXPECT_EQ(Quantile(samples, percent / 100.0), percent);
  }
}

TEST(Mean, IsTheSumOverTheNumber) {
  EXPECT_EQ(Mean(std::vector<double>{1, 2, 6}), 3);
  EXPECT_EQ(Mean(std::vector<double>{-4}), -4);
}

TEST(QuantileDeathTest, NoSamplesOrNoQuantileIsOurBug) {
  EXPECT_DEATH((void)Quantile({}, 0.5), "!samples.empty");
  EXPECT_DEATH((void)Mean({}), "!samples.empty");
  EXPECT_DEATH((void)Quantile({1}, 1.1), "q <= 1");
  EXPECT_DEATH((void)Quantile({1}, -0.1), "q >= 0");
}

}  // namespace
}  // namespace berth
