#include "scale/capacity/capacity_answer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scale/capacity/capacity_testing.h"

namespace berth {
namespace {

CapacityQuestion ShopQuestion() {
  CapacityQuestion question{.quantile = 0.9};
  question.load = {.step = std::chrono::hours(1), .level = 0.95};
  for (const double mean : {100.0, 150.0, 120.0}) {
    question.load.points.push_back({.mean = mean, .lower = 0.8 * mean, .upper = 1.2 * mean});
  }
  question.services = {{.name = "web", .requests_per_s = 20, .need = CpuAndMemory(1, 1)},
                       {.name = "db", .requests_per_s = 60, .need = CpuAndMemory(1, 6)}};
  question.prices = {.currency = "USD",
                     .types = {TypeOf("s", 2, 8, 0.1), TypeOf("m", 8, 16, 0.35)}};
  question.prices.types.push_back(TypeOf("x", 4, 16, 0.19));
  question.prices.types.back().provider = "q";
  return question;
}

TEST(CapacityAnswer, MoreConfidenceNeverCostsLess) {
  const CapacityAnswer answer = AnswerCapacity(ShopQuestion()).value();
  ASSERT_EQ(answer.quantiles.size(), 6U);
  for (std::size_t i = 1; i < answer.quantiles.size(); ++i) {
    EXPECT_GE(*answer.quantiles[i].cost_micros, *answer.quantiles[i - 1].cost_micros);
  }
  const auto chosen = std::ranges::find(answer.quantiles, 0.9, &QuantileCost::quantile);
  EXPECT_EQ(chosen->cost_micros, answer.plan.cost_micros);
}

TEST(CapacityAnswer, AQuantileOfOnesOwnIsShownInItsPlace) {
  CapacityQuestion question = ShopQuestion();
  question.quantile = 0.8;
  const CapacityAnswer answer = AnswerCapacity(question).value();
  ASSERT_EQ(answer.quantiles.size(), 7U);
  EXPECT_EQ(answer.quantiles[2].quantile, 0.8);
}

TEST(CapacityAnswer, AMixOfProvidersIsNeverDearerThanOneAlone) {
  const CapacityAnswer answer = AnswerCapacity(ShopQuestion()).value();
  ASSERT_EQ(answer.providers.size(), 2U);
  for (const ProviderCost& one : answer.providers) {
    EXPECT_GE(*one.cost_micros, answer.plan.cost_micros) << one.provider;
  }
  CapacityQuestion only = ShopQuestion();
  only.provider = "q";
  const CapacityAnswer alone = AnswerCapacity(only).value();
  EXPECT_EQ(alone.plan.cost_micros, answer.providers[1].cost_micros);
  ASSERT_EQ(alone.types.size(), 1U);
}

TEST(CapacityAnswer, OtherWaysAreNotBelowTheBound) {
  const CapacityAnswer answer = AnswerCapacity(ShopQuestion()).value();
  ASSERT_EQ(answer.baselines.size(), 6U);
  for (const BaselineCost& one : answer.baselines) {
    EXPECT_GE(one.cost_micros, answer.plan.bound_micros) << one.name;
  }
}

// Marks change what the Cluster Autoscaler rents, and nothing else.
TEST(CapacityAnswer, MarksAreThoseOfTheAutoscaler) {
  const CapacityAnswer plain = AnswerCapacity(ShopQuestion()).value();
  CapacityQuestion question = ShopQuestion();
  for (ServiceModel& service : question.services) service.blocks_scale_down = true;
  for (VmType& type : question.prices.types) type.keep = true;
  const CapacityAnswer kept = AnswerCapacity(question).value();
  EXPECT_EQ(kept.plan.cost_micros, plain.plan.cost_micros);
  double dearer = 0;
  for (std::size_t i = 0; i < kept.baselines.size(); ++i) {
    EXPECT_GE(kept.baselines[i].cost_micros, plain.baselines[i].cost_micros - 1e-3);
    dearer = std::max(dearer, kept.baselines[i].cost_micros - plain.baselines[i].cost_micros);
  }
  EXPECT_GT(dearer, 1e4);
}

TEST(CapacityAnswer, WhatCannotBeServedIsSaid) {
  CapacityQuestion question = ShopQuestion();
  question.services[0].instances_max = 8;  // Enough for 90 %: 150 x 1.13 / 20; not for 99 %.
  question.quantile = 0.5;
  const CapacityAnswer answer = AnswerCapacity(question).value();
  EXPECT_TRUE(answer.quantiles.front().cost_micros);
  EXPECT_FALSE(answer.quantiles.back().cost_micros);
  question.quantile = 0.99;
  EXPECT_FALSE(AnswerCapacity(question).ok());
  question.provider = "z";
  EXPECT_EQ(AnswerCapacity(question).status().message(),
            "there is no provider 'z'; the prices are of p, q");
}

TEST(CapacityAnswer, TooManyVmsForAReplayAreNoted) {
  CapacityQuestion question = ShopQuestion();
  question.services[0].requests_per_s = 0.02;  // Up to 8,500 instances.
  question.prices.types = {TypeOf("one", 1, 8, 0.1)};
  for (int i = 0; i < 3; ++i) question.load.points.push_back(question.load.points[1]);
  const CapacityAnswer answer = AnswerCapacity(question).value();
  EXPECT_EQ(answer.baselines.size(), 1U);
  EXPECT_EQ(
      answer.notes,
      (std::vector<std::string>{"the Cluster Autoscaler is left out: too many VMs to replay it"}));
}

}  // namespace
}  // namespace berth
