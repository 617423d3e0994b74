#include "qos/cost_tuple.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

using std::chrono::seconds;

const ClassTerms kSilverTerms{.target_ppm = 900'000, .rank = 0, .margin = seconds(10)};
const ClassTerms kBronzeTerms{.target_ppm = 500'000, .rank = 1, .margin = seconds(10)};

struct Of {
  const ClassTerms* terms;
  int leeway_s;
};

CostTuple Cost(std::initializer_list<Of> victims) {
  CostTuple cost(2);
  for (const Of& victim : victims) {
    const std::uint32_t target_ppm = victim.terms->target_ppm;
    cost.Add(*victim.terms,
             {Wide{Duration(seconds(victim.leeway_s)).count()} * target_ppm, target_ppm});
  }
  return cost;
}

TEST(CostTuple, AmongTheSafeWhoHasMostToSpareIsCheapest) {
  EXPECT_LT(Cost({{&kBronzeTerms, 60}}), Cost({{&kBronzeTerms, 50}}));
  EXPECT_LT(Cost({{&kSilverTerms, 60}}), Cost({{&kBronzeTerms, 50}}));  // Whatever the class.
}

// 1/40 + 1/40 is as much as 1/20.
TEST(CostTuple, OfTwoVictimsAddsUp) {
  EXPECT_LT(Cost({{&kBronzeTerms, 50}, {&kBronzeTerms, 50}}), Cost({{&kBronzeTerms, 29}}));
  EXPECT_GT(Cost({{&kBronzeTerms, 50}, {&kBronzeTerms, 50}}), Cost({{&kBronzeTerms, 31}}));
  EXPECT_LT(Cost({{&kBronzeTerms, 0}, {&kBronzeTerms, 5}}), Cost({{&kBronzeTerms, -6}}));
}

TEST(CostTuple, AnyoneAtRiskCostsMoreThanAllTheSafe) {
  EXPECT_LT(Cost({{&kSilverTerms, 11}, {&kSilverTerms, 11}, {&kSilverTerms, 11}}),
            Cost({{&kBronzeTerms, 9}}));
}

TEST(CostTuple, ExactlyAtTheMarginIsTheDearestOfTheSafe) {
  EXPECT_GT(Cost({{&kBronzeTerms, 10}}),
            Cost({{&kBronzeTerms, 11}, {&kBronzeTerms, 11}, {&kBronzeTerms, 11}}));
  EXPECT_LT(Cost({{&kBronzeTerms, 10}}), Cost({{&kBronzeTerms, 9}}));
}

TEST(CostTuple, TheMoreImportantAtRiskCostsMoreThanAnyOfTheLess) {
  EXPECT_LT(Cost({{&kBronzeTerms, -1000}, {&kBronzeTerms, -1000}}), Cost({{&kSilverTerms, 9}}));
  EXPECT_LT(Cost({{&kSilverTerms, 9}}), Cost({{&kSilverTerms, 9}, {&kBronzeTerms, 50}}));
}

}  // namespace
}  // namespace berth
