#include "qos/cost_tuple.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

using std::chrono::seconds;

const ClassTerms kSilver{.target_ppm = 900'000, .rank = 0, .margin = seconds(10)};
const ClassTerms kBronze{.target_ppm = 500'000, .rank = 1, .margin = seconds(10)};

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
  EXPECT_LT(Cost({{&kBronze, 60}}), Cost({{&kBronze, 50}}));
  EXPECT_LT(Cost({{&kSilver, 60}}), Cost({{&kBronze, 50}}));  // Whatever the class.
}

// 1/40 + 1/40 is as much as 1/20.
TEST(CostTuple, OfTwoVictimsAddsUp) {
  EXPECT_LT(Cost({{&kBronze, 50}, {&kBronze, 50}}), Cost({{&kBronze, 29}}));
  EXPECT_GT(Cost({{&kBronze, 50}, {&kBronze, 50}}), Cost({{&kBronze, 31}}));
  EXPECT_LT(Cost({{&kBronze, 0}, {&kBronze, 5}}), Cost({{&kBronze, -6}}));
}

TEST(CostTuple, AnyoneAtRiskCostsMoreThanAllTheSafe) {
  EXPECT_LT(Cost({{&kSilver, 11}, {&kSilver, 11}, {&kSilver, 11}}), Cost({{&kBronze, 9}}));
}

TEST(CostTuple, ExactlyAtTheMarginIsTheDearestOfTheSafe) {
  EXPECT_GT(Cost({{&kBronze, 10}}), Cost({{&kBronze, 11}, {&kBronze, 11}, {&kBronze, 11}}));
  EXPECT_LT(Cost({{&kBronze, 10}}), Cost({{&kBronze, 9}}));
}

TEST(CostTuple, TheMoreImportantAtRiskCostsMoreThanAnyOfTheLess) {
  EXPECT_LT(Cost({{&kBronze, -1000}, {&kBronze, -1000}}), Cost({{&kSilver, 9}}));
  EXPECT_LT(Cost({{&kSilver, 9}}), Cost({{&kSilver, 9}, {&kBronze, 50}}));
}

}  // namespace
}  // namespace berth
