#include "forecast/ets_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "berth/rng.h"
#include "forecast/ets_start.h"

namespace berth {
namespace {

std::vector<double> Drawn(EtsModel model, double deviation, std::size_t count, Rng& rng) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    const double error = deviation * rng.Normal();
    const double expected = model.Next();
    values.push_back(model.form.error == EtsError::kAdditive ? expected + error
                                                             : expected * (1 + error));
    model.Update(values.back());
  }
  return values;
}

TEST(EtsFit, TheAdmissibleFormsAreThoseOfR) {
  EXPECT_EQ(AdmissibleForms(true, true).size(), 15U);
  EXPECT_EQ(AdmissibleForms(false, true).size(), 6U);
  EXPECT_EQ(AdmissibleForms(true, false).size(), 6U);
  EXPECT_EQ(AdmissibleForms(false, false).size(), 3U);
}

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

TEST(EtsFit, SelectsTheSeasonAndTheTrendThatAreThere) {
  Rng rng(3);
  std::vector<double> values;
  for (int i = 0; i < 120; ++i) {
    values.push_back(100 + 2.0 * i + 30 * ((i % 12) < 6 ? 1 : -1) + rng.Normal());
  }
  const EtsForm with_season = SelectEts(values, 12).model.form;
  EXPECT_NE(with_season.season, EtsSeason::kNone);
  EXPECT_NE(with_season.trend, EtsTrend::kNone);
  std::vector<double> flat;
  for (int i = 0; i < 120; ++i) flat.push_back(100 + rng.Normal());
  EXPECT_EQ(SelectEts(flat, 12).model.form.season, EtsSeason::kNone);
}

TEST(EtsFit, OfFormsThatCannotBeToldApartTheSimplestIsSelected) {
  Rng rng(5);
  std::size_t not_the_lowest = 0;
  for (int round = 0; round < 20; ++round) {
    const EtsModel truth{.form = {}, .weights = {.alpha = 0.6}, .state = {.level = 50}};
    const std::vector<double> values = Drawn(truth, 1, 60, rng);
    const EtsFitted selected = SelectEts(values, 0);
    double lowest = 1e300;
    std::vector<EtsFitted> all;
    for (const EtsForm& form : AdmissibleForms(false, true)) {
      all.push_back(FitEts(values, form, 0));
      lowest = std::min(lowest, all.back().aicc);
    }
    EXPECT_LE(selected.aicc, lowest + 2);
    for (const EtsFitted& one : all) {
      if (one.aicc <= lowest + 2) {
        EXPECT_GE(one.estimated, selected.estimated);
      }
    }
    not_the_lowest += selected.aicc > lowest;
  }
  EXPECT_GT(not_the_lowest, 0U);
}

TEST(EtsFit, OnlyPositiveValuesAreGivenProportionalErrors) {
  std::vector<double> values;
  for (int i = 0; i < 50; ++i) values.push_back(i % 7);
  EXPECT_EQ(SelectEts(values, 0).model.form.error, EtsError::kAdditive);
}

TEST(EtsFit, TooFewValuesForAFormGiveItNoCriterion) {
  std::vector<double> values = {1, 3, 2, 4, 3, 5, 4, 6};
  const EtsForm form{EtsError::kAdditive, EtsTrend::kDamped, EtsSeason::kAdditive};
  EXPECT_TRUE(std::isinf(FitEts(values, form, 4).aicc));
}

}  // namespace
}  // namespace berth
