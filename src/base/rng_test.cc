#include "berth/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace berth {
namespace {

// Golden: if this changes, every recorded seed in tests/ changes meaning.
TEST(Rng, Seed42IsPinned) {
  Rng rng(42);
  EXPECT_EQ(rng.Below(1000), 83U);
  EXPECT_EQ(rng.Below(1000), 378U);
  EXPECT_EQ(rng.Below(1000), 680U);
  EXPECT_EQ(Rng(42).Fork("arrivals").Below(1000), 345U);
  EXPECT_EQ(Rng(42).Fork(7).Below(1000), 400U);
}

TEST(Rng, ForkIgnoresDrawsAlreadyTaken) {
  const Rng fresh(7);
  Rng used(7);
  (void)used.Next();
  EXPECT_EQ(fresh.Fork("arrivals").Next(), used.Fork("arrivals").Next());
  EXPECT_EQ(fresh.Fork(3).Next(), used.Fork(3).Next());
}

TEST(Rng, ForksOfNearbySeedsLabelsAndNumbersDiffer) {
  std::set<std::uint64_t> draws;
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    const Rng rng(seed);
    for (std::uint64_t number = 0; number < 32; ++number) {
      draws.insert(rng.Fork(number).Next());
      draws.insert(rng.Fork(std::string(1, static_cast<char>('a' + number))).Next());
    }
    draws.insert(rng.Fork("").Next());
    draws.insert(rng.Fork("ab").Next());
    draws.insert(rng.Fork("a").Fork("b").Next());
    draws.insert(Rng(seed).Next());
  }
  EXPECT_EQ(draws.size(), 32U * (64 + 4));
}

TEST(Rng, BelowIsUniform) {
  Rng rng(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) ++counts[rng.Below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
}

TEST(Rng, BelowReachesTheWholeRange) {
  Rng rng(1);
  EXPECT_EQ(rng.Below(1), 0U);
  const std::uint64_t limit = (std::uint64_t{1} << 63) + 1;  // Rejects nearly half of its draws.
  for (int i = 0; i < 1000; ++i) EXPECT_LT(rng.Below(limit), limit);
}

TEST(RngDeathTest, BelowZeroIsOurBug) {
  Rng rng(1);
  EXPECT_DEATH((void)rng.Below(0), "limit > 0");
}

TEST(Rng, UnitIsInTheHalfOpenInterval) {
  Rng rng(2);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double unit = rng.Unit();
    ASSERT_GE(unit, 0);
    ASSERT_LT(unit, 1);
    sum += unit;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.005);
}

// To the bit: these values come from every compiler and processor alike.
TEST(Rng, FloatingPointDrawsArePinned) {
  Rng rng(42);
  EXPECT_EQ(rng.Unit(), 0x1.5780b2e0c2ecp-4);
  EXPECT_EQ(rng.Exponential(10), 0x1.30e4214850ebbp+2);
  EXPECT_EQ(rng.Normal(), 0x1.c5e21f7812a4ep-3);
}

TEST(Rng, ExponentialFollowsTheLogarithm) {
  Rng rng(3);
  Rng same(3);
  for (int i = 0; i < 100'000; ++i) {
    const double expected = -std::log1p(-same.Unit());
    ASSERT_NEAR(rng.Exponential(1), expected, 4e-16 * std::max(1.0, expected));
  }
}

TEST(Rng, ExponentialHasTheMean) {
  Rng rng(3);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double draw = rng.Exponential(5);
    ASSERT_GE(draw, 0);
    sum += draw;
  }
  EXPECT_NEAR(sum / 100'000, 5, 0.1);
}

TEST(Rng, NormalHasMeanZeroAndDeviationOne) {
  Rng rng(4);
  constexpr int kDraws = 100'000;
  double sum = 0;
  double squares = 0;
  int beyond_two = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double draw = rng.Normal();
    sum += draw;
    squares += draw * draw;
    if (std::abs(draw) > 2) ++beyond_two;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.02);
  EXPECT_NEAR(squares / kDraws, 1, 0.02);
  EXPECT_NEAR(beyond_two / double{kDraws}, 0.0455, 0.003);
}

TEST(Rng, WeightedDrawsInProportionAndNeverAZero) {
  Rng rng(5);
  const std::vector<double> weights = {0, 1, 0, 3, 0};
  std::array<int, 5> counts{};
  for (int i = 0; i < 40'000; ++i) ++counts[rng.Weighted(weights)];
  EXPECT_EQ(counts[0] + counts[2] + counts[4], 0);
  EXPECT_NEAR(counts[1], 10'000, 400);
  EXPECT_NEAR(counts[3], 30'000, 400);
}

TEST(RngDeathTest, WeightsThatCannotBeDrawnFromAreOurBug) {
  Rng rng(5);
  EXPECT_DEATH((void)rng.Weighted({}), "sum > 0");
  const std::vector<double> zero = {0, 0};
  EXPECT_DEATH((void)rng.Weighted(zero), "sum > 0");
  const std::vector<double> negative = {2, -1};
  EXPECT_DEATH((void)rng.Weighted(negative), "weight >= 0");
}

TEST(Rng, ShuffleKeepsTheItemsAndChangesTheOrder) {
  std::vector<int> items(100);
  std::iota(items.begin(), items.end(), 0);
  const std::vector<int> before = items;
  Rng(6).Shuffle(std::span<int>(items));
  EXPECT_NE(items, before);
  std::sort(items.begin(), items.end());
  EXPECT_EQ(items, before);
}

}  // namespace
}  // namespace berth
