#include "forecast/season_shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "berth/rng.h"

namespace berth {
namespace {

const std::vector<std::size_t> kDayAndWeek = {24, 168};

double Wave(std::size_t i) {
  return 10 * std::sin(2 * std::numbers::pi * static_cast<double>(i % 24) / 24);
}

TEST(ShapeNoise, OfTwoPeriodsByHand) {
  // A window of 11 over two values reaches 5 from either: weights of 1 and (1 - 0.2^3)^3.
  const double other = std::pow(1 - 0.008, 3);
  const double own = 1 / (1 + other);
  const ShapeNoise noise = ShapeNoiseOf(2, 11);
  EXPECT_NEAR(noise.own, own, 1e-12);
  EXPECT_NEAR(noise.found, own * own + (1 - own) * (1 - own), 1e-12);
  EXPECT_NEAR(noise.ahead, noise.found, 1e-12);
}

TEST(ShapeNoise, IsThatOfNoiseThatIsSmoothed) {
  constexpr std::size_t kDrawn = 4'000;
  Rng rng(4);
  for (const std::size_t periods : {3U, 9U, 21U}) {
    const ShapeNoise noise = ShapeNoiseOf(periods, 11);
    double own = 0, found = 0, ahead = 0, left = 0;
    for (std::size_t draw = 0; draw < kDrawn; ++draw) {
      std::vector<double> values;
      for (std::size_t i = 0; i < periods; ++i) values.push_back(rng.Normal());
      const std::vector<double> shape = Loess(values, SeasonSmoothing(11));
      for (std::size_t i = 0; i < periods; ++i) {
        const double share = 1 / static_cast<double>(kDrawn * periods);
        own += share * shape[i] * values[i];
        found += share * shape[i] * shape[i];
        left += share * (values[i] - shape[i]) * (values[i] - shape[i]);
      }
      ahead += shape.back() * shape.back() / kDrawn;
    }
    EXPECT_NEAR(noise.own, own, 0.03) << periods;
    EXPECT_NEAR(noise.found, found, 0.03) << periods;
    EXPECT_NEAR(noise.ahead, ahead, 0.03) << periods;
    EXPECT_NEAR(noise.left(), left, 0.03) << periods;
  }
}

TEST(ShapeNoise, OfManyPeriodsIsWorkedOutFromSome) {
  EXPECT_NEAR(ShapeNoiseOf(400, 11).own, ShapeNoiseOf(100, 11).own, 1e-12);
  EXPECT_GT(ShapeNoiseOf(100, 11).own, 0.1);
}

TEST(SeasonShapes, OfAWaveWithNoiseTheDayIsKeptAndNotTheWeek) {
  Rng rng(9);
  std::vector<double> values;
  for (std::size_t i = 0; i < 504; ++i) values.push_back(100 + Wave(i) + 2 * rng.Normal());
  const SeasonShapes shapes = ShapesOf(values, kDayAndWeek);
  EXPECT_GT(shapes.kept[0], 0.97);
  EXPECT_LT(shapes.kept[1], 0.3);
  double off = 0;
  for (std::size_t i = 0; i < 504; ++i) off += std::abs(shapes.seasons[0][i] - Wave(i)) / 504;
  EXPECT_LT(off, 1);
}

TEST(SeasonShapes, AWeekThatIsThereIsKept) {
  Rng rng(9);
  std::vector<double> values;
  for (std::size_t i = 0; i < 504; ++i) {
    values.push_back(100 + Wave(i) - (i / 24 % 7 < 5 ? 0 : 8) + 2 * rng.Normal());
  }
  EXPECT_GT(ShapesOf(values, kDayAndWeek).kept[1], 0.85);
}

TEST(SeasonShapes, OfNothingNothingIsHidden) {
  const std::vector<double> flat(120, 5);
  EXPECT_EQ(ShapesOf(flat, std::span(kDayAndWeek).first(1)).kept, std::vector<double>{0});
  const SeasonShapes shapes = ShapesOf(flat, {});
  EXPECT_EQ(shapes.rest, flat);
  EXPECT_EQ(shapes.hidden_variance, 0);
}

// What the rest shows and what is hidden, together, against how far new noise is from the shapes
// that were found in old.
TEST(SeasonShapes, TheHiddenVarianceIsWhatNewPointsShow) {
  Rng rng(10);
  double told = 0, shown = 0;
  constexpr std::size_t kDrawn = 12;
  for (std::size_t draw = 0; draw < kDrawn; ++draw) {
    std::vector<double> values;
    for (std::size_t i = 0; i < 504; ++i) values.push_back(rng.Normal());
    const SeasonShapes shapes = ShapesOf(values, kDayAndWeek);
    told += shapes.hidden_variance / kDrawn;
    for (const double value : shapes.rest) told += value * value / 504 / kDrawn;
    for (std::size_t h = 0; h < 168; ++h) {
      const double foreseen = shapes.seasons[0][480 + h % 24] + shapes.seasons[1][336 + h];
      shown += std::pow(rng.Normal() - foreseen, 2) / 168 / kDrawn;
    }
  }
  EXPECT_NEAR(told, shown, 0.1 * shown);
}

}  // namespace
}  // namespace berth
