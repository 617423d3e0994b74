#include "forecast/candidates.h"

#include <gtest/gtest.h>

#include <numeric>

#include "berth/rng.h"

namespace berth {
namespace {

std::vector<ScoredCandidate> Scored(std::vector<double> scores) {
  std::vector<ScoredCandidate> candidates;
  for (const double score : scores) {
    candidates.push_back({.method = "", .fitted = nullptr, .interval_score = score});
  }
  return candidates;
}

TEST(Candidates, WeightsByHand) {
  // Half the score is four times the weight.
  EXPECT_EQ(WeightsOf(Scored({10, 20})), (std::vector<double>{0.8, 0.2}));
  EXPECT_EQ(WeightsOf(Scored({7})), (std::vector<double>{1}));
  EXPECT_EQ(WeightsOf(Scored({0, 5, 0})), (std::vector<double>{0.5, 0, 0.5}));
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
  for (const ScoredCandidate& one : candidates.value()) {
    if (one.method == "seasonal_naive") naive = one.interval_score;
    if (one.method == "seasonal_decomposition") decomposed = one.interval_score;
  }
  EXPECT_GT(decomposed, 0);
  EXPECT_GT(naive, decomposed);  // It knows no trend.
  const std::vector<double> weights = WeightsOf(candidates.value());
  EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-12);
}

TEST(Candidates, AShortHistoryHasSomeToo) {
  std::vector<double> values;
  for (int i = 0; i < 24; ++i) values.push_back(i % 5);
  const auto candidates = FitCandidates({.values = values, .seasons = {}, .rng = Rng(1)});
  ASSERT_TRUE(candidates.ok());
  EXPECT_FALSE(candidates.value().empty());
}

}  // namespace
}  // namespace berth
