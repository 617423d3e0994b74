#include "forecast/candidates.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "forecast/fit_cost.h"

namespace berth {
namespace {

TEST(Candidates, WeightsByHand) {
  // Half the score is four times the weight.
  EXPECT_EQ(WeightsOf(std::vector<double>{10, 20}), (std::vector<double>{0.8, 0.2}));
  EXPECT_EQ(WeightsOf(std::vector<double>{7}), (std::vector<double>{1}));
  EXPECT_EQ(WeightsOf(std::vector<double>{0, 5, 0}), (std::vector<double>{0.5, 0, 0.5}));
}

TEST(Candidates, WeighedByHand) {
  const Forecast one{.mean = {1, 2}, .bands = {{0.9, {0, 0}, {4, 8}}}};
  const Forecast other{.mean = {5, 10}, .bands = {{0.9, {4, 4}, {8, 16}}}};
  const Forecast both = Weighed(std::vector<Forecast>{one, other}, std::vector<double>{0.75, 0.25});
  EXPECT_EQ(both.mean, (std::vector<double>{2, 4}));
  EXPECT_EQ(both.bands[0].level, 0.9);
  EXPECT_EQ(both.bands[0].lower, (std::vector<double>{1, 1}));
  EXPECT_EQ(both.bands[0].upper, (std::vector<double>{5, 10}));
}

TEST(Candidates, AMethodThatFitsTheSeriesScoresBetter) {
  Rng rng(3);
  std::vector<double> values;
  for (int i = 0; i < 160; ++i) {
    values.push_back(20 * (i % 8) + 0.5 * i + rng.Normal());
  }
  const std::vector<std::size_t> seasons = {8};
  const auto candidates = FitCandidates({.values = values, .seasons = seasons, .rng = Rng(1)});
  ASSERT_TRUE(candidates.ok());
  double naive = 0, decomposed = 0;
  for (const ScoredCandidate& one : candidates.value().scored) {
    if (one.method == "seasonal_naive") naive = one.interval_score;
    if (one.method == "seasonal_decomposition") decomposed = one.interval_score;
  }
  EXPECT_GT(decomposed, 0);
  EXPECT_GT(naive, decomposed);  // It knows no trend.
  EXPECT_EQ(candidates.value().held_out, 8U);
}

TEST(Candidates, AShortHistoryHasSomeToo) {
  std::vector<double> values;
  for (int i = 0; i < 24; ++i) values.push_back(i % 5);
  const auto candidates = FitCandidates({.values = values, .seasons = {}, .rng = Rng(1)});
  ASSERT_TRUE(candidates.ok());
  EXPECT_FALSE(candidates.value().scored.empty());
}

TEST(Candidates, ALongHistoryLeavesOutWhatCostsTooMuch) {
  Rng rng(5);
  std::vector<double> values;
  for (int i = 0; i < 20'000; ++i) values.push_back(i % 24 + rng.Normal());
  const std::vector<std::size_t> seasons = {24};
  const auto candidates = FitCandidates({.values = values, .seasons = seasons, .rng = Rng(1)});
  double cost = 0;
  for (const ScoredCandidate& one : candidates.value().scored) {
    EXPECT_NE(one.method, "sarima");
    for (const std::size_t points : {20'000U, 20'000U - 24}) {
      cost += FitCost(*FindForecaster(one.method).value(), points, seasons);
    }
  }
  EXPECT_GE(candidates.value().scored.size(), 3U);
  EXPECT_LE(cost, kCandidatesCostMax);
}

TEST(Candidates, InWords) {
  Candidates candidates;
  for (const char* method : {"a", "b", "c"}) {
    candidates.scored.push_back({.method = method, .fitted = nullptr});
  }
  EXPECT_EQ(WeightsInWords(candidates, std::vector<double>{0.746, 0.004, 0.25}), "75% a, 25% c");
}

}  // namespace
}  // namespace berth
