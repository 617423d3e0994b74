#include "forecast/ets_select.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "berth/rng.h"
#include "forecast/drawn_ets_testing.h"

namespace berth {
namespace {

TEST(EtsSelect, TheAdmissibleFormsAreThoseOfR) {
  EXPECT_EQ(AdmissibleForms(true, true).size(), 15U);
  EXPECT_EQ(AdmissibleForms(false, true).size(), 6U);
  EXPECT_EQ(AdmissibleForms(true, false).size(), 6U);
  EXPECT_EQ(AdmissibleForms(false, false).size(), 3U);
}

TEST(EtsSelect, SelectsTheSeasonAndTheTrendThatAreThere) {
  Rng rng(3);
  std::vector<double> values;
  for (int i = 0; i < 120; ++i) {
    values.push_back(100 + 2.0 * i + 30 * ((i % 12) < 6 ? 1 : -1) + rng.Normal());
  }
  const EtsForm with_season = SelectByCriterion(values, 12).model.form;
  EXPECT_NE(with_season.season, EtsSeason::kNone);
  EXPECT_NE(with_season.trend, EtsTrend::kNone);
  std::vector<double> flat;
  for (int i = 0; i < 120; ++i) flat.push_back(100 + rng.Normal());
  EXPECT_EQ(SelectByCriterion(flat, 12).model.form.season, EtsSeason::kNone);
}

TEST(EtsSelect, OfFormsThatCannotBeToldApartTheSimplestIsSelected) {
  Rng rng(5);
  std::size_t not_the_lowest = 0;
  for (int round = 0; round < 20; ++round) {
    const EtsModel truth{.form = {}, .weights = {.alpha = 0.6}, .state = {.level = 50}};
    const std::vector<double> values = Drawn(truth, 1, 60, rng);
    const EtsFitted selected = SelectByCriterion(values, 0);
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

TEST(EtsSelect, WhatIsLeftOfSeasonsIsGivenAdditiveErrors) {
  Rng rng(6);
  const EtsModel truth{.form = {.error = EtsError::kMultiplicative},
                       .weights = {.alpha = 0.9},
                       .state = {.level = 50}};
  const std::vector<double> values = Drawn(truth, 0.1, 300, rng);
  EXPECT_EQ(SelectByCriterion(values, 0).model.form.error, EtsError::kMultiplicative);
  const EtsFitted additive = SelectAdditive(values);
  EXPECT_EQ(additive.model.form.error, EtsError::kAdditive);
  for (const EtsForm& form : AdmissibleForms(false, false)) {
    EXPECT_LE(additive.aicc, FitEts(values, form, 0).aicc + 2);
  }
}

TEST(EtsSelect, OnlyPositiveValuesAreGivenProportionalErrors) {
  std::vector<double> values;
  for (int i = 0; i < 50; ++i) values.push_back(i % 7);
  EXPECT_EQ(SelectByCriterion(values, 0).model.form.error, EtsError::kAdditive);
}

// Seen from 10, 11 and so on to 20, each time ten ahead; the level stays the first value's.
TEST(EtsSelect, ForesightIsTheDistanceOfThePastFromWhatWasForeseenOfIt) {
  std::vector<double> values;
  for (int i = 0; i < 30; ++i) values.push_back(i);
  EtsFitted still;
  still.model.weights.alpha = 0;
  double sum = 0;
  for (int origin = 10; origin <= 20; ++origin) {
    for (int h = 0; h < 10; ++h) sum += origin + h;
  }
  EXPECT_NEAR(ForesightError(still, values), sum / 110, 1e-9);
  // The level is the value before, so h + 1 is missed: 5.5 on average.
  EtsFitted last = still;
  last.model.weights.alpha = 1;
  EXPECT_NEAR(ForesightError(last, values), 5.5, 1e-9);
  EXPECT_EQ(ForesightError(last, std::span(values).first(29)), 0);
  last.aicc = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isinf(ForesightError(last, values)));
}

TEST(EtsSelect, ByForesightIsTheBestCriterionAmongThoseThatForesawWell) {
  Rng rng(23);
  std::size_t other = 0;
  for (int round = 0; round < 20; ++round) {
    // A load that leans on its last hour: one step ahead a slope helps, later it does not.
    std::vector<double> values;
    double lean = 0;
    double before = 0;
    for (int i = 0; i < 240; ++i) {
      const double next = 1.6 * lean - 0.7 * before + rng.Normal();
      before = std::exchange(lean, next);
      values.push_back(500 + 10 * next + 40 * std::sin(i * std::numbers::pi / 12));
    }
    std::vector<EtsFitted> all;
    double least = std::numeric_limits<double>::infinity();
    for (const EtsForm& form : AdmissibleForms(true, true)) {
      all.push_back(FitEts(values, form, 24));
      least = std::min(least, ForesightError(all.back(), values));
    }
    std::erase_if(all,
                  [&](const EtsFitted& one) { return ForesightError(one, values) > 1.1 * least; });
    const double lowest = std::ranges::min_element(all, {}, &EtsFitted::aicc)->aicc;
    const EtsFitted selected = SelectByForesight(values, 24);
    EXPECT_LE(ForesightError(selected, values), 1.1 * least);
    EXPECT_LE(selected.aicc, lowest + 2);
    for (const EtsFitted& one : all) {
      if (one.aicc <= lowest + 2) {
        EXPECT_GE(one.estimated, selected.estimated);
      }
    }
    other += !(selected.model.form == SelectByCriterion(values, 24).model.form);
  }
  EXPECT_GT(other, 10U);
}

TEST(EtsSelect, AShortHistoryIsLeftToTheCriterion) {
  Rng rng(29);
  std::vector<double> values;
  for (int i = 0; i < 29; ++i) values.push_back(10 + rng.Normal());
  EXPECT_EQ(SelectByForesight(values, 0).model.form, SelectByCriterion(values, 0).model.form);
  values.resize(3);
  EXPECT_EQ(SelectByForesight(values, 0).model.form, SelectByCriterion(values, 0).model.form);
}

}  // namespace
}  // namespace berth
