#include "forecast/ets_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "berth/rng.h"
#include "forecast/drawn_ets_testing.h"
#include "forecast/ets_start.h"

namespace berth {
namespace {

TEST(EtsFit, IndicesOfACleanSeasonAreItself) {
  std::vector<double> sums, products;
  for (int i = 0; i < 24; ++i) {
    sums.push_back(10 + std::vector<double>{-3, 0, 1, 2}[static_cast<std::size_t>(i % 4)]);
    products.push_back(10 * std::vector<double>{0.5, 1, 1.5}[static_cast<std::size_t>(i % 3)]);
  }
  const std::vector<double> added = SeasonalIndices(sums, 4, EtsSeason::kAdditive);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(added[i], (std::vector<double>{-3, 0, 1, 2}[i]), 1e-12);
  }
  const std::vector<double> factors = SeasonalIndices(products, 3, EtsSeason::kMultiplicative);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(factors[i], (std::vector<double>{0.5, 1, 1.5}[i]), 1e-12);
  }
}

TEST(EtsFit, ALineIsStartedFromItself) {
  const std::vector<double> values = {3, 5, 7, 9, 11, 13};
  const EtsState start = StartOf(values, {.trend = EtsTrend::kAdditive}, 0);
  EXPECT_NEAR(start.level, 1, 1e-12);
  EXPECT_NEAR(start.slope, 2, 1e-12);
}

// All alphas and starting levels of a fine grid, with the level's best value by hand.
TEST(EtsFit, FindsWhatASlowSearchFinds) {
  Rng rng(7);
  for (int round = 0; round < 5; ++round) {
    const EtsModel truth{
        .form = {}, .weights = {.alpha = 0.1 + 0.2 * round}, .state = {.level = 50}};
    const std::vector<double> values = Drawn(truth, 3, 60, rng);
    double best = 1e300;
    for (int i = 0; i < 200; ++i) {
      const double alpha = 0.001 + 0.005 * i;
      for (int j = 0; j < 60; ++j) {
        const double level = 35 + 0.5 * j;
        EtsModel model{.form = {}, .weights = {.alpha = alpha}, .state = {.level = level}};
        best = std::min(best, Follow(model, values, {}).squares);
      }
    }
    const EtsFitted fitted = FitEts(values, {}, 0);
    EXPECT_LE(fitted.likelihood, 60 * std::log(best) + 0.001);
    EXPECT_EQ(fitted.estimated, 3U);
    EXPECT_NEAR(fitted.aicc, fitted.likelihood + 2 * 3 * 60.0 / (60 - 3 - 1), 1e-9);
  }
}

TEST(EtsFit, FindsTheWeightsThatAModelWasDrawnWith) {
  Rng rng(11);
  EtsModel truth{.form = {.season = EtsSeason::kAdditive},
                 .weights = {.alpha = 0.4, .gamma = 0.2},
                 .state = {.level = 100, .season = {20, 0, -5, -15}}};
  const EtsFitted fitted = FitEts(Drawn(truth, 2, 2'000, rng), truth.form, 4);
  EXPECT_NEAR(fitted.model.weights.alpha, 0.4, 0.05);
  EXPECT_NEAR(fitted.model.weights.gamma, 0.2, 0.05);
  EXPECT_NEAR(std::sqrt(fitted.model.variance), 2, 0.1);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(fitted.start.level + fitted.start.season[i], 100 + truth.state.season[i], 6);
  }
}

// From a small weight alone the search ends, for these draws, in a season that stays.
TEST(EtsFit, FindsASeasonThatAlwaysMoves) {
  for (const std::uint64_t seed : {6U, 8U}) {
    Rng rng(seed);
    const EtsModel truth{.form = {.season = EtsSeason::kAdditive},
                         .weights = {.alpha = 0.7, .gamma = 0.27},
                         .state = {.level = 100, .season = std::vector<double>(24, 0)}};
    const EtsFitted fitted = FitEts(Drawn(truth, 2, 504, rng), truth.form, 24);
    EXPECT_NEAR(fitted.model.weights.gamma, 0.27, 0.05);
  }
}

TEST(EtsFit, TooFewValuesForAFormGiveItNoCriterion) {
  std::vector<double> values = {1, 3, 2, 4, 3, 5, 4, 6};
  const EtsForm form{EtsError::kAdditive, EtsTrend::kDamped, EtsSeason::kAdditive};
  EXPECT_TRUE(std::isinf(FitEts(values, form, 4).aicc));
}

}  // namespace
}  // namespace berth
