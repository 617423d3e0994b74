#include "sim/tenants/technique_name.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/paths.h"

namespace berth {
namespace {

TEST(TechniqueName, ReadsWhatItWrites) {
  for (const std::string text :
       {"worst_fit_max", "worst_fit_max@p95", "best_fit_sum+oracle", "least_deviation@p80+oracle",
        "prv_worst_fit@p99", "prv_annealing+truth"}) {
    const auto name = ParseTechniqueName(text);
    ASSERT_TRUE(name.ok()) << name.status().message();
    EXPECT_EQ(name.value().ToText(), text);
  }
  EXPECT_EQ(ParseTechniqueName("worst_fit_max@p50").value().ToText(), "worst_fit_max");
}

TEST(TechniqueName, RefusesWhatThereIsNot) {
  for (const std::string_view text :
       {"", "worst", "worst_fit_max@p70", "worst_fit_max@95", "worst_fit_max+foresight", "+oracle",
        "+truth", "worst_fit_max+truth", "prv_worst_fit+truth+oracle"}) {
    EXPECT_FALSE(ParseTechniqueName(text).ok()) << text;
  }
  EXPECT_FALSE(ParseTechniqueNames("worst_fit_max,worst_fit_max@p50").ok());
  EXPECT_FALSE(ParseTechniqueNames("worst_fit_max,").ok());
}

TEST(TechniqueName, NamesAPolicyByItsFile) {
  const std::string text =
      fmt::format("policy:{}/testdata/policies/tenants_prv.yaml", testing::SourceDir().string());
  const auto name = ParseTechniqueName(text);
  ASSERT_TRUE(name.ok()) << name.status().message();
  EXPECT_EQ(name.value().ToText(), text);
  EXPECT_TRUE(name.value().estimates());
  const auto error = [](std::string_view of) { return ParseTechniqueName(of).status().message(); };
  EXPECT_NE(error("policy").find("policy:FILE"), std::string::npos);
  EXPECT_NE(error("policy:none.yaml").find("none.yaml"), std::string::npos);
}

TEST(TechniqueName, AllHasEachBaselineWithAndWithoutTheOracle) {
  const auto all = ParseTechniqueNames("all");
  ASSERT_TRUE(all.ok());
  std::size_t expected = 0;
  for (const TechniqueEntry& entry : BuiltinTechniques()) {
    if (entry.in_all) expected += entry.estimates ? 1 : 2;
  }
  EXPECT_EQ(all.value().size(), expected);
}

}  // namespace
}  // namespace berth
