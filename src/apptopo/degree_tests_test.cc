#include "apptopo/degree_tests.h"

#include <gtest/gtest.h>

#include <cmath>

#include "apptopo/power_law.h"

namespace berth {
namespace {

using Degrees = std::vector<std::size_t>;

// Eq. 8.1: a star of five has a mean of 8/5; four at or below it, one above: 4 - 1 > 2.
TEST(DegreeTests, BelowSixServicesTheShapeDecidesWhatIsSkewed) {
  const DegreeVerdict star = TestSkewed(Degrees{1, 1, 1, 1, 4}, SkewThreshold::kTwo);
  EXPECT_TRUE(star.fits);
  EXPECT_FALSE(star.p);
  // A chain of five: mean 8/5, two below, three above.
  EXPECT_FALSE(TestSkewed(Degrees{1, 1, 2, 2, 2}, SkewThreshold::kOne).fits);
  // Mean 2: three at most that, one above: 2 is more than 1, not more than 2.
  EXPECT_TRUE(TestSkewed(Degrees{1, 2, 2, 3}, SkewThreshold::kOne).fits);
  EXPECT_FALSE(TestSkewed(Degrees{1, 2, 2, 3}, SkewThreshold::kTwo).fits);
}

TEST(DegreeTests, WhereNoPowerLawCanBeFittedTheShapeDecides) {
  // The mean is 50.5: as many below as above.
  const DegreeVerdict narrow = TestSkewed(Degrees{50, 50, 50, 51, 51, 51}, SkewThreshold::kOne);
  EXPECT_FALSE(narrow.p);
  EXPECT_FALSE(narrow.fits);
  const DegreeVerdict same = TestSkewed(Degrees{2, 2, 2, 2, 2, 2}, SkewThreshold::kOne);
  EXPECT_FALSE(same.p);
  EXPECT_TRUE(same.fits);  // All are at most the mean.
}

TEST(DegreeTests, BelowSixServicesOnlyTheSameDegreeIsUniform) {
  EXPECT_TRUE(TestNearUniform(Degrees{2, 2, 2, 2}, Rng(1)).fits);
  EXPECT_FALSE(TestNearUniform(Degrees{1, 1, 2, 2}, Rng(1)).fits);
  EXPECT_TRUE(TestNearUniform(Degrees{2, 2, 2, 2, 2, 2, 2}, Rng(1)).fits);
}

TEST(DegreeTests, DegreesThatNobodyHasCountInTheTestOfUniformity) {
  // Without the five degrees between, 4 and 4 would be as even as can be.
  EXPECT_FALSE(TestNearUniform(Degrees{1, 1, 1, 1, 7, 7, 7, 7}, Rng(1)).fits);
  EXPECT_TRUE(TestNearUniform(Degrees{1, 1, 1, 1, 2, 2, 2, 2}, Rng(1)).fits);
}

// Eq. 8.2, read as its text: the most frequent degree inside, as many above as below but for one.
TEST(DegreeTests, BelowSixServicesTheShapeDecidesWhatIsCentral) {
  EXPECT_TRUE(TestCentral(Degrees{1, 2, 2, 2, 3}).fits);
  EXPECT_TRUE(TestCentral(Degrees{1, 2, 2, 3, 4}).fits);   // One below, two above.
  EXPECT_FALSE(TestCentral(Degrees{1, 1, 1, 2, 3}).fits);  // None below.
  EXPECT_FALSE(TestCentral(Degrees{3, 3, 2, 1, 1}).fits);  // Of two the smaller, none below.
  EXPECT_FALSE(TestCentral(Degrees{2, 2, 2, 2}).fits);
}

TEST(DegreeTests, FromSixServicesOnTheTestsDecide) {
  const DegreeVerdicts hub =
      TestDegrees(Degrees{1, 1, 1, 1, 1, 1, 1, 7}, SkewThreshold::kTwo, Rng(1));
  EXPECT_TRUE(hub.skewed.fits && hub.skewed.p);
  EXPECT_FALSE(hub.near_uniform.fits || hub.central.fits);
  EXPECT_EQ(hub.forms(), 1);
}

TEST(DegreeTests, DegreesAreOfServicesThatHaveAny) {
  ServiceGraphBuilder builder;
  const ServiceVertex a = builder.Service("a").value();
  const ServiceVertex b = builder.Service("b").value();
  const ServiceVertex c = builder.Service("c").value();
  ASSERT_TRUE(builder.Service("alone").ok());
  ASSERT_TRUE(builder.Call(a, b).ok() && builder.Call(b, a).ok() && builder.Call(a, c).ok());
  EXPECT_EQ(DegreesOf(std::move(builder).Build()), (Degrees{1, 2, 3}));
}

TEST(DegreeTests, FormsAreCountedAsInTheTable) {
  const DegreeVerdict yes{.fits = true};
  const DegreeVerdict no{};
  const std::vector<DegreeVerdicts> all = {
      {yes, no, no}, {yes, yes, no}, {no, no, no}, {no, yes, no}, {yes, yes, yes}};
  const DegreeFormCounts counts = CountForms(all);
  EXPECT_EQ(counts.applications, 5U);
  EXPECT_EQ(counts.skewed.total, 3U);
  EXPECT_EQ(counts.skewed.pure, 1U);
  EXPECT_EQ(counts.near_uniform.total, 3U);
  EXPECT_EQ(counts.near_uniform.pure, 1U);
  EXPECT_EQ(counts.central.total, 1U);
  EXPECT_EQ(counts.central.pure, 0U);
  EXPECT_EQ(counts.other, 1U);
}

// Three samples over two equal bins: 3 and 0, which two of the eight outcomes are.
TEST(DegreeTests, DrawingComesCloseToCounting) {
  Rng rng(3);
  const std::vector<std::uint64_t> counts = {3, 0};
  EXPECT_NEAR(UniformByDrawing(counts, 100'000, rng), 0.25, 0.01);
}

TEST(DegreeTests, WhatIsDrawnFromAPowerLawIsFoundToBeOne) {
  Rng rng(11);
  for (const double alpha : {1.8, 2.5, 3.0}) {
    Degrees degrees;
    for (int i = 0; i < 3'000; ++i) {  // By inversion, degree by degree.
      double left = rng.Unit() * HurwitzZeta(alpha, 1);
      std::size_t degree = 1;
      while (degree < 5'000 && left > std::pow(static_cast<double>(degree), -alpha)) {
        left -= std::pow(static_cast<double>(degree++), -alpha);
      }
      degrees.push_back(degree);
    }
    const PowerLawFit fit = FitPowerLaw(degrees);
    EXPECT_NEAR(fit.alpha, alpha, 0.1);
    EXPECT_GT(fit.p, kDegreeTestLevel);
  }
}

TEST(KolmogorovUpperTail, IsThatOfTheTables) {
  EXPECT_NEAR(KolmogorovUpperTail(1.3581), 0.05, 1e-5);
  EXPECT_NEAR(KolmogorovUpperTail(1.6276), 0.01, 1e-5);
  EXPECT_NEAR(KolmogorovUpperTail(0.8276), 0.5, 1e-4);
  EXPECT_EQ(KolmogorovUpperTail(0), 1);
  // The two series agree where one gives way to the other.
  EXPECT_NEAR(KolmogorovUpperTail(1 - 1e-12), KolmogorovUpperTail(1), 1e-9);
}

}  // namespace
}  // namespace berth
