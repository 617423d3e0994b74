#include "appsim/multiverse/arrivals.h"

#include <gtest/gtest.h>

#include "appsim/multiverse/sarima.h"

namespace berth::multiverse {
namespace {

constexpr Duration kBucket = std::chrono::milliseconds(50);
const std::vector<RequestShare> kOneType = {{.request = 0, .ratio = 1}};

std::uint32_t Sum(const ArrivalBuckets& arrivals, std::size_t first, std::size_t count) {
  std::uint32_t sum = 0;
  for (std::size_t i = first; i < first + count; ++i) sum += arrivals.At(i, 0);
  return sum;
}

TEST(MultiverseArrivals, ALevelRepeatsOneUnitOfTime) {
  LoadPattern pattern{.kind = LoadPattern::Kind::kSteps,
                      .length = std::chrono::minutes(5),
                      .unit = std::chrono::seconds(1),
                      .levels = {{.requests = 1, .share = 0.2}, {.requests = 3, .share = 0.8}},
                      .shares = kOneType};
  Rng rng(1);
  const Result<ArrivalBuckets> arrivals = DrawArrivals(pattern, 1, kBucket, {}, rng);
  ASSERT_TRUE(arrivals.ok());
  ASSERT_EQ(arrivals.value().size(), 6000U);
  EXPECT_EQ(Sum(arrivals.value(), 0, 1200), 60U);
  EXPECT_EQ(Sum(arrivals.value(), 1200, 4800), 720U);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(arrivals.value().At(1200 + i, 0), arrivals.value().At(5980 + i, 0));
  }
  EXPECT_EQ(arrivals.value().Count(6001, 0, true), arrivals.value().At(1, 0));
  EXPECT_EQ(arrivals.value().Count(6001, 0, false), 0U);
}

TEST(MultiverseArrivals, ASingleValuePutsItsRemainderIntoTheFirstBuckets) {
  LoadPattern pattern{.kind = LoadPattern::Kind::kSingleValue,
                      .length = std::chrono::seconds(1),
                      .value = 23,
                      .shares = kOneType};
  Rng rng(1);
  const ArrivalBuckets arrivals = DrawArrivals(pattern, 1, kBucket, {}, rng).value();
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(arrivals.At(i, 0), i < 3 ? 2U : 1U);
}

TEST(MultiverseArrivals, SeasonalSecondsVaryAroundTheirPartOfTheDay) {
  LoadPattern pattern{.kind = LoadPattern::Kind::kSeasonal,
                      .days = {{.values = std::vector<double>(24, 36'000)}},
                      .shares = kOneType};
  Rng rng(1);
  const RunSpec run{.step = kBucket, .length = std::chrono::minutes(10)};
  const ArrivalBuckets arrivals = DrawArrivals(pattern, 1, kBucket, run, rng).value();
  // Ten a second; a sixth of the hour is drawn of it, so six standard deviations of a binomial.
  EXPECT_NEAR(Sum(arrivals, 0, arrivals.size()), 6'000, 6 * 71);
}

TEST(MultiverseArrivals, TooMuchIsRefused) {
  LoadPattern pattern{.kind = LoadPattern::Kind::kSingleValue,
                      .length = std::chrono::hours(24),
                      .value = 1e9,
                      .shares = kOneType};
  Rng rng(1);
  EXPECT_FALSE(DrawArrivals(pattern, 1, kBucket, {}, rng).ok());
  EXPECT_FALSE(DrawArrivals(pattern, 1, Duration(1), {}, rng).ok());
}

TEST(MultiverseSarima, WithoutNoiseTheTrendIsSummedUp) {
  Rng rng(1);
  const SarimaSpec spec{.trend = "c", .p = 1, .coefficients = {1, 0.5, 0}};
  EXPECT_EQ(DrawSarimaPath(spec, 4, rng), (std::vector<double>{1, 1.5, 1.75, 1.875}));
  const SarimaSpec walk{.trend = "n", .d = 1, .coefficients = {0}};
  EXPECT_EQ(DrawSarimaPath(walk, 2, rng), (std::vector<double>{0, 0}));
}

// The difference equation of (2,0,1)(1,0,1,4) written out.
TEST(MultiverseSarima, FollowsItsDifferenceEquation) {
  constexpr double kAr1 = 0.8, kAr2 = 0.01, kMa = 0.5, kSeasonalAr = 0.3, kSeasonalMa = 0.2;
  const SarimaSpec spec{.period = 4,
                        .trend = "n",
                        .p = 2,
                        .q = 1,
                        .seasonal_p = 1,
                        .seasonal_q = 1,
                        .coefficients = {kAr1, kAr2, kMa, kSeasonalAr, kSeasonalMa, 0.04}};
  Rng rng(3);
  const std::vector<double> path = DrawSarimaPath(spec, 60, rng);
  Rng again(3);
  std::vector<double> shocks;
  std::vector<double> expected;
  const auto at = [](const std::vector<double>& values, std::size_t t, std::size_t lag) {
    return lag > t ? 0.0 : values[t - lag];
  };
  for (std::size_t t = 0; t < 60; ++t) {
    shocks.push_back(0.2 * again.Normal());
    expected.push_back(0);
    expected[t] = kAr1 * at(expected, t, 1) + kAr2 * at(expected, t, 2) +
                  kSeasonalAr * at(expected, t, 4) - kSeasonalAr * kAr1 * at(expected, t, 5) -
                  kSeasonalAr * kAr2 * at(expected, t, 6) + shocks[t] + kMa * at(shocks, t, 1) +
                  kSeasonalMa * at(shocks, t, 4) + kSeasonalMa * kMa * at(shocks, t, 5);
    EXPECT_NEAR(path[t], expected[t], 1e-9) << t;
  }
}

}  // namespace
}  // namespace berth::multiverse
