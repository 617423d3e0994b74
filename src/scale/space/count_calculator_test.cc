#include "scale/space/count_calculator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scale/scaler.h"

namespace berth {
namespace {

const std::vector<std::string> kLoadAndMemory = {"load", "memory"};

std::unique_ptr<CountCalculator> Made(std::string_view name, const CalculatorSettings& settings) {
  return FindCountCalculator(name).value()->make(settings, kLoadAndMemory).value();
}

// Eq. 9.1: 0.9 / 0.6 x 4 = 6; with the heuristic x 1.15 that is 6.9, rounded up 7.
TEST(CountCalculators, TheRatioIsOfTheTargetTimesTheInstances) {
  const auto ratio = Made("ratio", {.metric = "memory", .target = 0.6});
  const std::vector<double> metrics = {100, 0.9};
  EXPECT_DOUBLE_EQ(ratio->Count({4, metrics}), 6);
  EXPECT_EQ(WholeReplicas(1.15 * ratio->Count({4, metrics})), 7U);
  EXPECT_EQ(ratio->Why({4, metrics}), "memory 0.9 of 4, 0.6 aimed at");
}

TEST(CountCalculators, WhatOneInstanceTakesDoesNotDependOnTheInstances) {
  const auto load = Made("per_instance", {.metric = "load", .target = 20});
  const std::vector<double> metrics = {110, 0.9};
  EXPECT_DOUBLE_EQ(load->Count({1, metrics}), 5.5);
  EXPECT_DOUBLE_EQ(load->Count({7, metrics}), 5.5);
}

TEST(CountCalculators, ANegativeMetricAsksForNothing) {
  const std::vector<double> metrics = {-3, -1};
  EXPECT_EQ(Made("ratio", {.metric = "load", .target = 1})->Count({4, metrics}), 0);
  EXPECT_EQ(Made("per_instance", {.metric = "load", .target = 1})->Count({4, metrics}), 0);
}

TEST(CountCalculators, AMetricOfAnotherGroupIsRefused) {
  const auto made =
      FindCountCalculator("ratio").value()->make({.metric = "cpu", .target = 1}, kLoadAndMemory);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.status().message(), "there is no metric 'cpu' in the group; it has load, memory");
}

CalculatorSettings LearningSettings(std::string model) {
  return {.metric = "memory",
          .target = 0.5,
          .fallback = "ratio",
          .model = std::move(model),
          .performance = "response_time",
          .at_most = 0.2,
          .search = {.min = 1, .max = 20}};
}

// Response time that falls with the instances: 0.5 - 0.04 n + 0.001 load.
double ResponseOf(double instances, double load) { return 0.5 - 0.04 * instances + 0.001 * load; }

TEST(LearningCalculator, FallsBackToTheRuleUntilAPredictionHasPassed) {
  const auto learning = Made("learning", LearningSettings("sgd"));
  const std::vector<double> metrics = {100, 0.75};
  EXPECT_DOUBLE_EQ(learning->Count({4, metrics}), 6);
  EXPECT_EQ(learning->Why({4, metrics}), "memory 0.75 of 4, 0.5 aimed at (not learned yet)");
  learning->Observe({4, metrics}, 0.4);  // Predicted as 0: far off.
  EXPECT_DOUBLE_EQ(learning->Count({4, metrics}), 6);
  learning->Observe({4, metrics}, std::nullopt);
  EXPECT_DOUBLE_EQ(learning->Count({4, metrics}), 6);
}

TEST(LearningCalculator, TakesTheFewestThatItExpectsToKeepTheObjective) {
  for (const std::string_view model : {"sgd", "passive_aggressive"}) {
    const auto learning = Made("learning", LearningSettings(std::string(model)));
    for (int i = 0; i < 6'000; ++i) {
      const auto n = static_cast<std::uint32_t>(1 + i % 9);
      const std::vector<double> metrics = {static_cast<double>(20 * (i % 7)), 0.5};
      learning->Observe({n, metrics}, ResponseOf(n, metrics[0]));
    }
    // 0.5 - 0.04 n + 0.1 <= 0.2 from n = 10 on.
    const std::vector<double> metrics = {100, 0.5};
    EXPECT_NEAR(learning->Count({4, metrics}), 10, 1) << model;
    // No count is good enough: the one that does best, the most that is looked at.
    const std::vector<double> heavy = {900, 0.5};
    EXPECT_EQ(learning->Count({4, heavy}), 20) << model;
  }
}

TEST(LearningCalculator, TheNetworkGoesOnFromWhatWasSaved) {
  const auto first = Made("learning", LearningSettings("network"));
  const std::vector<double> metrics = {60, 0.5};
  for (int i = 0; i < 300; ++i) {
    first->Observe({static_cast<std::uint32_t>(1 + i % 9), metrics}, ResponseOf(1 + i % 9, 60));
  }
  const auto second = Made("learning", LearningSettings("network"));
  ASSERT_TRUE(second->Restore(first->Save()).ok());
  EXPECT_EQ(second->Save(), first->Save());
  first->Observe({5, metrics}, ResponseOf(5, 60));
  second->Observe({5, metrics}, ResponseOf(5, 60));
  EXPECT_EQ(second->Count({5, metrics}), first->Count({5, metrics}));
  EXPECT_FALSE(second->Restore("no state").ok());
}

TEST(LearningCalculator, RefusesModelsAndFallbacksThatCannotBe) {
  CalculatorSettings batch = LearningSettings("lasso");
  EXPECT_EQ(FindCountCalculator("learning").value()->make(batch, kLoadAndMemory).status().message(),
            "lasso does not learn row by row; take sgd, passive_aggressive or network");
  CalculatorSettings itself = LearningSettings("sgd");
  itself.fallback = "learning";
  EXPECT_EQ(
      FindCountCalculator("learning").value()->make(itself, kLoadAndMemory).status().message(),
      "learning learns, and cannot be the fallback");
}

// Whatever the metrics, a count is a number, and not below zero.
TEST(CountCalculators, EachAnswersWithANumber) {
  for (const CalculatorEntry& entry : CountCalculators()) {
    const auto made = Made(entry.name, LearningSettings("network"));
    for (const double value : {-1e12, -1.0, 0.0, 1e-9, 0.5, 3.0, 1e12}) {
      const std::vector<double> metrics = {value, value};
      made->Observe({3, metrics}, 0.1);
      const double count = made->Count({3, metrics});
      EXPECT_TRUE(std::isfinite(count) && count >= 0) << entry.name << " " << value;
      EXPECT_FALSE(made->Why({3, metrics}).empty());
    }
  }
}

}  // namespace
}  // namespace berth
