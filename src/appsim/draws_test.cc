#include "appsim/draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "appsim/arrivals.h"
#include "appsim/time_histogram.h"
#include "base/normal.h"
#include "base/quantiles.h"
#include "berth/rng.h"

namespace berth {
namespace {

TEST(Draws, NormalQuantilesAreThoseOfTheSlowOne) {
  for (const double p : {1e-300, 1e-20, 1e-9, 0.001, 0.07, 0.0750001, 0.3, 0.5, 0.7, 0.93, 0.999}) {
    EXPECT_NEAR(FastNormalQuantile(p), NormalQuantile(p), 1e-12 * (1 + std::abs(NormalQuantile(p))))
        << p;
  }
  EXPECT_NEAR(FastNormalQuantile(0.975), 1.959963984540054, 1e-14);
}

TEST(Draws, HaveTheirMeanAndDeviation) {
  const Draws draws(7);
  const Spread normal{.kind = Spread::Kind::kNormal, .mean = 50, .deviation = 10};
  const Spread exponential{.kind = Spread::Kind::kExponential, .mean = 50};
  constexpr int kCount = 100'000;
  double sum = 0, squares = 0, exponential_sum = 0;
  for (int i = 0; i < kCount; ++i) {
    const double drawn = draws.Of(normal, static_cast<std::uint64_t>(i));
    sum += drawn;
    squares += (drawn - 50) * (drawn - 50);
    exponential_sum += draws.Of(exponential, static_cast<std::uint64_t>(i));
  }
  EXPECT_NEAR(sum / kCount, 50, 0.15);
  EXPECT_NEAR(squares / kCount, 100, 2);
  EXPECT_NEAR(exponential_sum / kCount, 50, 0.7);
  const Spread wide{.kind = Spread::Kind::kNormal, .mean = 0, .deviation = 10};
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_GE(draws.Of(wide, i), 0);
}

TEST(Draws, DependOnTheirNumberAlone) {
  const Spread normal{.kind = Spread::Kind::kNormal, .mean = 50, .deviation = 10};
  EXPECT_EQ(Draws(7).Of(normal, 3), Draws(7).Of(normal, 3));
  EXPECT_NE(Draws(7).Of(normal, 3), Draws(7).Of(normal, 4));
  EXPECT_NE(Draws(7).Of(normal, 3), Draws(8).Of(normal, 3));
  EXPECT_EQ(Draws(7).Of({.mean = 5}, 3), 5);
}

TEST(LoadArrivals, ComeEvenlyWhereAsked) {
  const AppLoad load{
      .step = std::chrono::seconds(1), .rates = {2, 0, 4}, .arrivals = AppLoad::Arrivals::kEven};
  LoadArrivals arrivals(load, Rng(1));
  for (const std::int64_t expected : {500'000, 1'000'000, 2'250'000, 2'500'000, 2'750'000}) {
    EXPECT_EQ(arrivals.Next(), expected);
  }
  EXPECT_EQ(arrivals.Next(), 3'000'000);
  EXPECT_EQ(arrivals.Next(), std::nullopt);
}

TEST(LoadArrivals, AreAsManyAsTheRateSays) {
  AppLoad load{.step = std::chrono::seconds(100), .rates = {50, 0, 10}};
  for (const double deviation : {0.0, 5.0}) {
    load.deviation = deviation;
    LoadArrivals arrivals(load, Rng(1));
    std::vector<int> counts(3);
    std::int64_t last = 0;
    while (const auto at = arrivals.Next()) {
      EXPECT_GE(*at, last);
      last = *at;
      ++counts.at(static_cast<std::size_t>(*at / 100'000'000));
    }
    EXPECT_NEAR(counts[0], 5'000, 300);
    EXPECT_NEAR(counts[2], 1'000, 250);
    if (deviation == 0) {
      EXPECT_EQ(counts[1], 0);
    }
  }
}

TEST(TimeHistogram, QuantilesAreWithinAHundredth) {
  Rng rng(3);
  TimeHistogram histogram, half;
  std::vector<double> samples;
  for (int i = 0; i < 2'000; ++i) {
    const auto micros = static_cast<std::int64_t>(rng.Exponential(i % 2 == 0 ? 200 : 1e7));
    samples.push_back(static_cast<double>(micros));
    (i % 3 == 0 ? half : histogram).Add(micros);
  }
  histogram.Add(half);
  EXPECT_EQ(histogram.count(), 2'000U);
  for (const double q : {0.0, 0.1, 0.25, 0.5, 0.75, 0.99, 1.0}) {
    const double exact = Quantile(samples, q);
    EXPECT_NEAR(histogram.Quantile(q), exact, 0.5 + 0.01 * exact) << q;
  }
  EXPECT_EQ(histogram.CountUpTo(100'000'000'000), 2'000U);
  EXPECT_EQ(histogram.CountUpTo(10), static_cast<std::uint64_t>(std::ranges::count_if(
                                         samples, [](double s) { return s <= 10; })));
}

}  // namespace
}  // namespace berth
