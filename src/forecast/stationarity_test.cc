#include "forecast/stationarity.h"

#include <gtest/gtest.h>

#include <vector>

#include "berth/rng.h"

namespace berth {
namespace {

TEST(Stationarity, TheStatisticByHand) {
  // Distances -1, 1, -1, 1 from the mean, sums -1, 0, -1, 0: 2 / (16 x 1), no lag at four points.
  EXPECT_DOUBLE_EQ(LevelStatistic(std::vector<double>{1, 3, 1, 3}), 2.0 / 16);
  EXPECT_EQ(LevelStatistic(std::vector<double>(10, 5)), 0);
}

TEST(Stationarity, NoiseKeepsItsLevelAndAWalkDoesNot) {
  Rng rng(3);
  std::size_t noise_moves = 0, walk_stays = 0;
  for (int round = 0; round < 50; ++round) {
    std::vector<double> noise, walk = {0}, twice = {0};
    for (int i = 0; i < 200; ++i) {
      noise.push_back(rng.Normal());
      walk.push_back(walk.back() + noise.back());
      twice.push_back(twice.back() + walk.back());
    }
    noise_moves += DifferencesNeeded(noise, 2);
    walk_stays += DifferencesNeeded(walk, 2) == 0;
    EXPECT_GE(DifferencesNeeded(twice, 2), 1U);
    EXPECT_EQ(DifferencesNeeded(twice, 0), 0U);
  }
  EXPECT_LE(noise_moves, 8U);
  EXPECT_LE(walk_stays, 8U);
}

TEST(Stationarity, ASeasonIsAsStrongAsItIs) {
  Rng rng(5);
  std::vector<double> noise, season;
  for (int i = 0; i < 240; ++i) {
    noise.push_back(rng.Normal());
    season.push_back(noise.back() + 10 * (i % 6));
  }
  EXPECT_GT(SeasonalStrength(season, 6), 0.95);
  EXPECT_LT(SeasonalStrength(noise, 6), 0.5);
  EXPECT_EQ(SeasonalStrength(std::vector<double>(60, 1), 6), 0);
}

}  // namespace
}  // namespace berth
