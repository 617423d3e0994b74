#include "qos/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "berth/rng.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

const ServiceClass& Class(std::size_t i) {
  static const FleetSettings kSettings = DefaultFleetSettings();
  return kSettings.classes[i];
}

// Silver, 9 h run and 3 h waited: 75%, a deficit of 0.15 and the hardest credit. 0.15 x 9 h x 2
// cpus is 2.7, twice.
TEST(QosMetrics, PenaltyIsAsInEquationsTenAndEleven) {
  const Delivered delivered{hours(9), hours(3)};
  EXPECT_DOUBLE_EQ(QosDeficit(delivered, 900'000), 0.15);
  EXPECT_EQ(CreditPercent(Class(1), delivered), 100U);
  EXPECT_DOUBLE_EQ(Penalty(Class(1), delivered, hours(9), 2), 5.4);
  EXPECT_EQ(Penalty(Class(1), {hours(9), hours(1)}, hours(9), 2), 0);
}

TEST(QosMetrics, CreditsAreThoseOfTableTwo) {
  const auto at = [](std::size_t klass, std::int64_t ten_thousandths) {
    return CreditPercent(Class(klass),
                         {Duration(ten_thousandths), Duration(10'000 - ten_thousandths)});
  };
  EXPECT_EQ(at(0, 10'000), 0U);
  EXPECT_EQ(at(0, 9'999), 0U);  // A deficit, but no bonus.
  EXPECT_EQ(at(0, 9'998), 10U);
  EXPECT_EQ(at(0, 9'900), 10U);
  EXPECT_EQ(at(0, 9'899), 30U);
  EXPECT_EQ(at(0, 9'499), 100U);
  EXPECT_EQ(at(1, 9'000), 0U);
  EXPECT_EQ(at(1, 8'911), 10U);
  EXPECT_EQ(at(1, 8'556), 30U);
  EXPECT_EQ(at(1, 8'555), 100U);
  EXPECT_EQ(at(2, 4'950), 10U);
  EXPECT_EQ(at(2, 4'750), 30U);
  EXPECT_EQ(at(2, 0), 100U);
}

TEST(QosMetrics, GiniIsTheMeanDifference) {
  EXPECT_EQ(Gini({}), 0);
  EXPECT_EQ(Gini({0, 0}), 0);
  EXPECT_EQ(Gini({0.7, 0.7, 0.7}), 0);
  EXPECT_DOUBLE_EQ(Gini({0, 0, 0, 1}), 0.75);
  Rng rng(5);
  for (int i = 0; i < 100; ++i) {
    std::vector<double> values(1 + rng.Below(30));
    for (double& value : values) value = rng.Below(3) == 0 ? 1 : rng.Unit() * (i % 2 + 1);
    double sum = 0;
    double differences = 0;
    for (const double a : values) {
      sum += a;
      for (const double b : values) differences += std::abs(a - b);
    }
    const auto n = static_cast<double>(values.size());
    EXPECT_NEAR(Gini(values), differences / (2 * n * sum), 1e-12);
  }
}

// Of 1, 2, 3: deviation 1, so 1.96 / sqrt(3).
TEST(QosMetrics, AMeanHasItsConfidenceInterval) {
  const MeanInterval interval = MeanWithInterval(std::vector<double>{1, 2, 3});
  EXPECT_DOUBLE_EQ(interval.mean, 2);
  EXPECT_NEAR(interval.half_width, 1.959964 / std::sqrt(3.0), 1e-9);
  EXPECT_EQ(MeanWithInterval(std::vector<double>{4}).half_width, 0);
}

TEST(QosMetrics, AnIntervalIsAsBadAsItsMostImportantClassFares) {
  const std::vector<std::uint32_t> ranks = {0, 1, 2};
  const ClassInInterval whole{.active = 5, .fulfilled = 5, .least = 1};
  const ClassInInterval enough{.active = 5, .fulfilled = 5, .least = 0.95};
  const ClassInInterval broken{.active = 5, .fulfilled = 4, .least = 0.2};
  using Three = std::vector<ClassInInterval>;
  EXPECT_EQ(LevelOf(Three{whole, whole, whole}, ranks), ContentionLevel::kNone);
  EXPECT_EQ(LevelOf(Three{whole, whole, enough}, ranks), ContentionLevel::kLow);
  EXPECT_EQ(LevelOf(Three{whole, whole, broken}, ranks), ContentionLevel::kMedium);
  EXPECT_EQ(LevelOf(Three{whole, broken, broken}, ranks), ContentionLevel::kHigh);
  EXPECT_EQ(LevelOf(Three{broken, whole, whole}, ranks), ContentionLevel::kHigh);
  EXPECT_EQ(LevelOf(Three{{}, {}, {}}, ranks), ContentionLevel::kNone);
}

TEST(QosMetrics, PairsFallIntoSquaresAndQuadrants) {
  PairedAvailabilities pairs(500'000);
  pairs.Add(0.04, 0.52);
  pairs.Add(1, 0.5);
  pairs.Add(1, 0.49);
  EXPECT_EQ(pairs.total(), 3U);
  EXPECT_EQ(pairs.At(0, 10), 1U);
  EXPECT_EQ(pairs.At(19, 10), 1U);
  EXPECT_EQ(pairs.At(19, 9), 1U);
  EXPECT_EQ(pairs.Quadrant(false, true), 1U);
  EXPECT_EQ(pairs.Quadrant(true, true), 1U);
  EXPECT_EQ(pairs.Quadrant(true, false), 1U);
  EXPECT_EQ(pairs.Quadrant(false, false), 0U);
}

}  // namespace
}  // namespace berth
