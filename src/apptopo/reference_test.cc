// Beside R. The figures were printed by `Rscript testdata/apptopo/reference.R`, R 4.2.2.
#include <gtest/gtest.h>

#include <algorithm>

#include "apptopo/degree_tests.h"
#include "apptopo/power_law.h"
#include "apptopo/shapiro_wilk.h"

namespace berth {
namespace {

struct DegreesInR {
  std::string_view name;
  std::vector<std::size_t> degrees;
  double alpha;
  double distance;
  double power_law_p;
  double w;
  double normal_p;
  double uniform_p;  // Of 200,000 draws.
};

const std::vector<DegreesInR>& AllInR() {
  static const std::vector<DegreesInR> kAll = {
      {"star",
       {1, 1, 1, 1, 1, 1, 1, 7},
       2.644953,
       0.103427,
       0.999995,
       0.41839845,
       0.00000105,
       0.0001},
      {"hubs",
       {1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 4, 9},
       2.007405,
       0.110484,
       0.998560,
       0.64008189,
       0.00023656,
       0.0028},
      {"even",
       {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4},
       1.800908,
       0.281669,
       0.296931,
       0.87618706,
       0.07833809,
       1.0000},
      {"middle",
       {1, 2, 2, 3, 3, 3, 3, 4, 4, 5},
       1.672485,
       0.373725,
       0.122396,
       0.95287681,
       0.70258918,
       0.6784},
      {"six", {1, 1, 2, 2, 3, 5}, 1.888382, 0.233709, 0.898508, 0.86626155, 0.21170548, 0.8842},
      {"pairs",
       {2, 2, 2, 2, 2, 3, 3, 4},
       3.586746,
       0.084247,
       1.000000,
       0.72380464,
       0.00417440,
       0.2942}};
  return kAll;
}

std::vector<double> AsNumbers(const std::vector<std::size_t>& degrees) {
  return {degrees.begin(), degrees.end()};
}

TEST(TopologyReference, ThePowerLawIsThatOfR) {
  for (const DegreesInR& r : AllInR()) {
    const PowerLawFit fit = FitPowerLaw(r.degrees);
    EXPECT_TRUE(fit.inside) << r.name;
    EXPECT_NEAR(fit.alpha, r.alpha, 2e-6) << r.name;
    EXPECT_NEAR(fit.distance, r.distance, 2e-6) << r.name;
    EXPECT_NEAR(fit.p, r.power_law_p, 1e-5) << r.name;
  }
  EXPECT_NEAR(HurwitzZeta(2.5, 1), 1.3414872573, 1e-9);
  EXPECT_NEAR(HurwitzZeta(1.2, 3), 4.1563071595, 1e-9);
}

TEST(TopologyReference, TheTestOfNormalityIsThatOfR) {
  for (const DegreesInR& r : AllInR()) {
    const ShapiroWilk found = TestNormality(AsNumbers(r.degrees));
    EXPECT_NEAR(found.w, r.w, 1e-6) << r.name;
    EXPECT_NEAR(found.p, r.normal_p, 1e-6) << r.name;
  }
  std::vector<double> large;
  large.reserve(80);
  for (int i = 1; i <= 40; ++i) large.push_back(i);
  for (int i = 1; i <= 40; ++i) large.push_back(i * i / 30.0);
  EXPECT_NEAR(TestNormality(large).w, 0.94838954, 1e-6);
  EXPECT_NEAR(TestNormality(large).p, 0.0027908585, 1e-7);
}

// With as many draws as R had the two differ by what drawing leaves open.
TEST(TopologyReference, TheTestOfUniformityIsThatOfR) {
  for (const DegreesInR& r : AllInR()) {
    const auto [low, high] = std::ranges::minmax(r.degrees);
    std::vector<std::uint64_t> counts(high - low + 1, 0);
    for (const std::size_t degree : r.degrees) ++counts[degree - low];
    Rng rng(7);
    EXPECT_NEAR(UniformByDrawing(counts, 200'000, rng), r.uniform_p, 0.005) << r.name;
  }
}

}  // namespace
}  // namespace berth
