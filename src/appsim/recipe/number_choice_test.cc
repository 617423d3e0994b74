#include "appsim/recipe/number_choice.h"

#include <gtest/gtest.h>

#include <map>

namespace berth {
namespace {

TEST(NumberChoice, OneOfAListIsAsLikelyAsAnother) {
  const NumberChoice choice = NumberChoice::OneOf({1, 2, 5});
  std::map<double, int> seen;
  Rng rng(1);
  for (int i = 0; i < 3'000; ++i) ++seen[choice.Draw(rng)];
  ASSERT_EQ(seen.size(), 3U);
  for (const auto& [value, count] : seen) EXPECT_NEAR(count, 1'000, 100) << value;
  EXPECT_EQ(choice.least(), 1);
  EXPECT_EQ(choice.most(), 5);
}

TEST(NumberChoice, AnIntervalIsDrawnFromEvenly) {
  const NumberChoice choice = NumberChoice::Between(10, 20);
  Rng rng(2);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double drawn = choice.Draw(rng);
    EXPECT_GE(drawn, 10);
    EXPECT_LT(drawn, 20);
    sum += drawn;
  }
  EXPECT_NEAR(sum / 10'000, 15, 0.1);
}

// Bins 0 to 1 with three samples, 1 to 2 with none, 2 to 3 with one.
TEST(NumberChoice, SamplesAreDrawnAsOftenAsTheyWere) {
  const std::vector<double> samples = {0, 0.2, 0.9, 3};
  const NumberChoice choice = NumberChoice::FromSamples(samples, 3);
  Rng rng(3);
  int low = 0;
  for (int i = 0; i < 4'000; ++i) {
    const double drawn = choice.Draw(rng);
    EXPECT_TRUE((drawn >= 0 && drawn < 1) || (drawn >= 2 && drawn < 3)) << drawn;
    low += drawn < 1 ? 1 : 0;
  }
  EXPECT_NEAR(low, 3'000, 120);
  const std::vector<double> alike = {7, 7};
  EXPECT_EQ(NumberChoice::FromSamples(alike, 10).Draw(rng), 7);
}

Result<NumberChoice> Read(const std::string& text) {
  const Document document = ParseDocument("x: " + text + "\n", "r.yaml").value();
  return ReadChoice(*document.root().Find("x"),
                    [](const Node& node) { return node.Number({.min = 0, .max = 100}); });
}

TEST(NumberChoice, IsWrittenInThreeWays) {
  EXPECT_EQ(Read("5").value().most(), 5);
  EXPECT_EQ(Read("[4, 2]").value().least(), 2);
  EXPECT_EQ(Read("{min: 1, max: 10}").value().most(), 10);
}

TEST(NumberChoice, WhatIsWrongIsSaid) {
  EXPECT_EQ(Read("[]").status().message(),
            "r.yaml:1:4: x: has no values to choose from; write at least one");
  EXPECT_EQ(Read("{min: 3, max: 2}").status().message(),
            "r.yaml:1:4: x: has max below min; raise it");
  EXPECT_FALSE(Read("{min: 3}").ok());
  EXPECT_FALSE(Read("101").ok());
  EXPECT_FALSE(Read("[1, two]").ok());
}

}  // namespace
}  // namespace berth
