#include "qos/best_plans.h"

#include <gtest/gtest.h>

#include "berth/rng.h"

namespace berth {
namespace {

Plan PlanOn(std::uint32_t host, std::int64_t shortfall) {
  return {.host = HostIndex{host}, .victims = {}, .cost = CostTuple(1), .shortfall = shortfall};
}

TEST(BestPlans, KeepsTheBestOfAllThatWereShown) {
  Rng rng(8);
  for (int i = 0; i < 200; ++i) {
    const std::size_t wanted = 1 + rng.Below(5);
    BestPlans best(wanted);
    std::vector<Plan> all;
    for (std::uint32_t host = 0; host < 12; ++host) {
      const Plan plan = PlanOn(host, static_cast<std::int64_t>(rng.Below(6)));
      const Plan* bar = best.bar();
      ASSERT_EQ(bar != nullptr, all.size() >= wanted);
      const bool expected = bar == nullptr || plan.IsBetterThan(*bar);
      ASSERT_EQ(best.Keep(plan), expected);
      all.push_back(plan);
    }
    EXPECT_FALSE(best.Keep(std::nullopt));
    std::ranges::sort(all, [](const Plan& a, const Plan& b) { return a.IsBetterThan(b); });
    const std::vector<Plan> kept = std::move(best).Take();
    ASSERT_EQ(kept.size(), wanted);
    for (std::size_t k = 0; k < wanted; ++k) EXPECT_EQ(kept[k].host, all[k].host);
  }
}

}  // namespace
}  // namespace berth
