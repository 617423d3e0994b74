#include "forecast/season_detection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "berth/rng.h"

namespace berth {
namespace {

using Seasons = std::vector<std::size_t>;

std::vector<double> Generated(std::size_t count, std::uint64_t seed,
                              const std::function<double(std::size_t, Rng&)>& value) {
  Rng rng(seed);
  std::vector<double> values;
  values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) values.push_back(value(i, rng));
  return values;
}

double Wave(std::size_t i, std::size_t period) {
  return std::sin(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(period));
}

TEST(SeasonDetection, RepetitionByHand) {
  // The moving average over two points, the outermost halved, of 1, 3, 1, 3, ... is 2.
  EXPECT_DOUBLE_EQ(Repetition(std::vector<double>{1, 3, 1, 3, 1, 3, 1, 3}, 2), 1);
  // Over three points that of 1, 3, 1 is 5/3 and that of 3, 1, 3 is 7/3: 4/3, -4/3 and so on
  // remain, and three points later all have the other sign.
  EXPECT_DOUBLE_EQ(Repetition(std::vector<double>{1, 3, 1, 3, 1, 3, 1, 3, 1}, 3), -1);
  // A straight line is its moving average.
  EXPECT_EQ(Repetition(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}, 2), 0);
  EXPECT_EQ(Repetition(std::vector<double>{1, 3, 1, 3}, 2), 0);  // Two periods are too few.
}

TEST(SeasonDetection, FindsAnyPeriodInNoise) {
  for (const std::size_t period : {2U, 3U, 5U, 7U, 12U, 24U, 60U, 96U, 168U}) {
    const auto values = Generated(600, period, [&](std::size_t i, Rng& rng) {
      return 50 + 10 * (i % period == 0 ? 3.0 : Wave(i, period)) + 3 * rng.Normal();
    });
    EXPECT_EQ(DetectSeasons(values), Seasons{period});
  }
}

TEST(SeasonDetection, APartOfAWaveIsNone) {
  for (const std::size_t period : {6U, 12U, 24U, 50U, 96U}) {
    const auto wave = Generated(600, 1, [&](std::size_t i, Rng&) { return Wave(i, period); });
    EXPECT_EQ(DetectSeasons(wave), Seasons{period});
    const auto noisy = Generated(
        600, 2, [&](std::size_t i, Rng& rng) { return Wave(i, period) + 0.05 * rng.Normal(); });
    EXPECT_EQ(DetectSeasons(noisy), Seasons{period});
  }
}

TEST(SeasonDetection, FindsDayAndWeek) {
  const auto values = Generated(1008, 3, [](std::size_t i, Rng& rng) {
    return 100 + 20 * Wave(i, 24) + (i / 24 % 7 < 5 ? 15 : -15) + 4 * rng.Normal();
  });
  EXPECT_EQ(DetectSeasons(values), (Seasons{24, 168}));
}

TEST(SeasonDetection, TrendAndWanderingDoNotHideIt) {
  double wander = 0;
  const auto values = Generated(600, 4, [&](std::size_t i, Rng& rng) {
    wander += rng.Normal();
    return 0.5 * static_cast<double>(i) + wander + 8 * Wave(i, 24);
  });
  EXPECT_EQ(DetectSeasons(values), Seasons{24});
}

// A wave of so many points a day with its half, and noise.
std::vector<double> LongDays(std::size_t days, std::size_t period, std::uint64_t seed) {
  return Generated(days * period, seed, [&](std::size_t i, Rng& rng) {
    return 100 + 30 * Wave(i, period) + 10 * Wave(2 * i, period) + 6 * rng.Normal();
  });
}

TEST(SeasonDetection, ALongPeriodIsFoundToThePoint) {
  EXPECT_EQ(DetectSeasons(LongDays(10, 288, 1)), Seasons{288});
  // What is clearly no day is not taken for one.
  EXPECT_EQ(DetectSeasons(LongDays(10, 293, 0), Seasons{288}), Seasons{293});
}

// Of a few periods chance makes as much of a difference as a few points do.
TEST(SeasonDetection, AUsualPeriodIsTakenWhereChanceExplainsTheDifference) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    EXPECT_EQ(DetectSeasons(LongDays(4, 288, seed), Seasons{288}), Seasons{288}) << seed;
    EXPECT_NEAR(static_cast<double>(DetectSeasons(LongDays(4, 288, seed)).at(0)), 288, 3) << seed;
  }
}

TEST(SeasonDetection, FindsNoneWhereThereIsNone) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto noise = Generated(500, seed, [](std::size_t, Rng& rng) { return rng.Normal(); });
    EXPECT_EQ(DetectSeasons(noise), Seasons{}) << seed;
    double at = 0;
    const auto walk =
        Generated(500, seed, [&](std::size_t, Rng& rng) { return at += rng.Normal(); });
    EXPECT_EQ(DetectSeasons(walk), Seasons{}) << seed;
    double level = 0;
    const auto sluggish = Generated(
        500, seed, [&](std::size_t, Rng& rng) { return level = 0.8 * level + rng.Normal(); });
    EXPECT_EQ(DetectSeasons(sluggish), Seasons{}) << seed;
  }
}

TEST(SeasonDetection, HardSeriesHaveNone) {
  EXPECT_EQ(DetectSeasons(std::vector<double>{5}), Seasons{});
  EXPECT_EQ(DetectSeasons(std::vector<double>(300, 7.5)), Seasons{});
  EXPECT_EQ(DetectSeasons(Generated(
                300, 1, [](std::size_t i, Rng&) { return 1e97 * static_cast<double>(i); })),
            Seasons{});
}

TEST(SeasonDetection, TheScaleDoesNotMatter) {
  const auto values = Generated(
      300, 9, [](std::size_t i, Rng& rng) { return 1e98 * (Wave(i, 12) + 0.1 * rng.Normal()); });
  EXPECT_EQ(DetectSeasons(values), Seasons{12});
}

}  // namespace
}  // namespace berth
