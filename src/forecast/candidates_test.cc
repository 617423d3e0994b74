#include "forecast/candidates.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "forecast/fit_cost.h"
#include "forecast/series_forecaster.h"

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
  for (int i = 0; i < 14; ++i) values.push_back(i % 5);
  const auto candidates = FitCandidates({.values = values, .seasons = {}, .rng = Rng(1)});
  ASSERT_TRUE(candidates.ok());
  EXPECT_EQ(candidates.value().scored.size() + candidates.value().not_tried.size(), 6U);
  EXPECT_EQ(candidates.value().not_tried.front(),
            "lag_regression not tried: it needs 12 points before the 3 that were held out");
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
  EXPECT_EQ(candidates.value().not_tried,
            (std::vector<std::string>{
                "sarima not tried: fitted twice to 20,000 points, it would take too long",
                "singular_spectrum not tried: fitted twice to 20,000 points, it would take too "
                "long"}));
}

TEST(Candidates, WhatIsNotTriedIsNotedByThoseThatChoose) {
  Rng rng(5);
  TimeSeries series{.start = {}, .values = {}};
  for (int i = 0; i < 2'016; ++i) series.values.push_back(i % 24 + rng.Normal());
  for (const char* method : {"ensemble", "chooser"}) {
    const auto fitted =
        SeriesForecaster::Fit(*FindForecaster(method).value(), series, {.seasons = {24}});
    EXPECT_EQ(fitted.value().notes(),
              std::vector<std::string>{
                  "sarima not tried: fitted twice to 2,016 points, it would take too long"})
        << method;
    series.values.resize(400);
    const auto of_few =
        SeriesForecaster::Fit(*FindForecaster(method).value(), series, {.seasons = {24}});
    EXPECT_TRUE(of_few.value().notes().empty()) << method;
    series.values.resize(2'016, 12);
  }
}

TEST(Candidates, UpdatesReachThoseThatAreWeighed) {
  Rng rng(3);
  std::vector<double> values;
  for (int i = 0; i < 60; ++i) values.push_back(rng.Normal());
  Candidates candidates = FitCandidates({.values = values, .seasons = {}, .rng = Rng(1)}).value();
  ASSERT_EQ(candidates.scored[0].method, "last_value");
  ASSERT_EQ(candidates.scored[1].method, "seasonal_naive");
  std::vector<double> weights(candidates.scored.size(), 0);
  weights[0] = 1;
  UpdateWeighed(candidates, weights, 100);
  EXPECT_EQ(candidates.scored[0].fitted->Predict(1, {}, Rng(1)).mean[0], 100);
  EXPECT_LT(candidates.scored[1].fitted->Predict(1, {}, Rng(1)).mean[0], 100);
  EXPECT_EQ(PredictWeighed(candidates, weights, 1, {}, Rng(1)).mean[0], 100);
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
