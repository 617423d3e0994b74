#include "forecast/choice.h"

#include <gtest/gtest.h>

#include <cmath>

#include "forecast/scoring.h"
#include "forecast/series_forecaster.h"

namespace berth {
namespace {

// Foreseen with the same mean and half width everywhere.
ScoredCandidate Flat(std::string_view method, double mean, double half_width,
                     std::span<const double> actual) {
  const std::size_t n = actual.size();
  ScoredCandidate one{.method = method, .fitted = nullptr};
  one.held_out = {.mean = std::vector<double>(n, mean),
                  .bands = {{kScoredLevel, std::vector<double>(n, mean - half_width),
                             std::vector<double>(n, mean + half_width)}}};
  one.interval_score = ScoreForecast(one.held_out, 0, actual, actual.first(1), 1)->interval_score;
  return one;
}

TEST(Choice, ClearlyBetterThanAllTogetherIsKeptAlone) {
  const std::vector<double> actual = {10, 11, 9, 10};
  Candidates candidates{.held_out = 4};
  candidates.scored.push_back(Flat("near", 10, 2, actual));
  for (int i = 0; i < 10; ++i) candidates.scored.push_back(Flat("wide", 10, 4, actual));
  const Choice choice = ChooseAmong(candidates, actual);
  // Scores of 4 and 8, weights of 2 / 7 and 1 / 14: together 48 / 7, and 4 is 58% of that.
  EXPECT_NEAR(choice.mix_score, 48.0 / 7, 1e-12);
  EXPECT_EQ(choice.single, 0U);
  EXPECT_EQ(choice.weights[0], 1);
  EXPECT_EQ(choice.weights[10], 0);
  // It needed half of its width: the fourth root of that is left.
  EXPECT_NEAR(choice.stretch, std::pow(0.5, 0.25), 1e-12);
  candidates.scored.pop_back();  // 88 / 13, and 4 is 59%; two fewer, and it is 61%.
  EXPECT_EQ(ChooseAmong(candidates, actual).single, 0U);
  candidates.scored.pop_back();
  candidates.scored.pop_back();
  EXPECT_FALSE(ChooseAmong(candidates, actual).single.has_value());
}

TEST(Choice, OfEqualsNoneIsKeptAlone) {
  const std::vector<double> actual = {10, 12, 8, 10};
  Candidates candidates{.held_out = 4};
  candidates.scored.push_back(Flat("low", 9, 4, actual));
  candidates.scored.push_back(Flat("high", 11, 4, actual));
  const Choice choice = ChooseAmong(candidates, actual);
  EXPECT_FALSE(choice.single.has_value());
  EXPECT_EQ(choice.weights, (std::vector<double>{0.5, 0.5}));
  // Weighted by either half they are about 10, with bands 8 wide that hold all.
  EXPECT_NEAR(choice.mix_score, 8, 1e-12);
  EXPECT_NEAR(choice.stretch, std::pow(0.5, 0.25), 1e-12);
}

TEST(Choice, TheMixIsScoredWithWeightsOfTheOtherHalf) {
  // One is right in the first half, the other in the second. Weights of the same half would give a
  // score near that of the right one; those of the other half give nearly all to the wrong one.
  const std::vector<double> actual = {0, 0, 50, 50};
  Candidates candidates{.held_out = 4};
  candidates.scored.push_back(Flat("early", 0, 1, actual));
  candidates.scored.push_back(Flat("late", 50, 1, actual));
  EXPECT_GT(ChooseAmong(candidates, actual).mix_score, 1'000);
}

TEST(Choice, OneCandidateIsKept) {
  const std::vector<double> actual = {7};
  Candidates candidates{.held_out = 1};
  candidates.scored.push_back(Flat("only", 3, 1, actual));
  EXPECT_EQ(ChooseAmong(candidates, actual).single, 0U);
}

TEST(Choice, StretchByHand) {
  // Forty points; the farthest but one, which is the 97.5% quantile, is 1.5 widths away.
  Forecast foreseen{.mean = std::vector<double>(40, 0),
                    .bands = {{kScoredLevel, std::vector<double>(40, -2), {}}}};
  foreseen.bands[0].upper.assign(40, 4);
  std::vector<double> actual(40, 1);
  actual[3] = 100;
  actual[30] = -3;
  EXPECT_NEAR(StretchFor(foreseen, actual), std::pow(1.5, 0.25), 1e-12);
  actual[31] = 100;
  EXPECT_NEAR(StretchFor(foreseen, actual), std::pow(2.5, 0.25), 1e-12);
  // Bands without width that were right stay so.
  Forecast exact{.mean = {5, 5}, .bands = {{kScoredLevel, {5, 5}, {5, 5}}}};
  EXPECT_NEAR(StretchFor(exact, std::vector<double>{5, 5}), std::pow(0.5, 0.25), 1e-12);
  EXPECT_NEAR(StretchFor(exact, std::vector<double>{5, 6}), std::pow(2.5, 0.25), 1e-12);
  StretchBands(foreseen, 0.5);
  EXPECT_EQ(foreseen.bands[0].lower[0], -1);
  EXPECT_EQ(foreseen.bands[0].upper[0], 2);
}

TEST(Choice, TheChooserSaysWhatAndWhy) {
  TimeSeries series{.start = {}, .values = {}};
  for (int i = 0; i < 96; ++i) series.values.push_back(i % 24 < 12 ? 10 : 30 + 0.01 * (i % 5));
  const auto fitted = SeriesForecaster::Fit(*FindForecaster(kChoosingForecaster).value(), series,
                                            {.seasons = {24}});
  ASSERT_TRUE(fitted.ok());
  EXPECT_FALSE(fitted.value().description().empty());
  EXPECT_TRUE(fitted.value().reason().starts_with("on the last 24 points the interval score of "))
      << fitted.value().reason();
  EXPECT_NE(fitted.value().reason().find("last_value "), std::string::npos);
  EXPECT_EQ(SeriesForecaster::Fit(*FindForecaster("average").value(), series, {}).value().reason(),
            "");
}

}  // namespace
}  // namespace berth
