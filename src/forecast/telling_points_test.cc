#include "forecast/telling_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "berth/rng.h"
#include "forecast/series_forecaster.h"

namespace berth {
namespace {

const std::vector<std::size_t> kDay = {24};

// A wave of a day with noise about a level that may move.
std::vector<double> Hours(std::size_t count, const std::function<double(std::size_t)>& level) {
  Rng rng(11);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    const double wave = 10 * std::sin(static_cast<double>(i % 24) / 24 * 6.2831853);
    values.push_back(level(i) + wave + 2 * rng.Normal());
  }
  return values;
}

double Steady(std::size_t) { return 100; }
double Shifted(std::size_t i) { return i < 408 ? 100 : 1'100; }

Forecast NextDay(std::vector<double> values, std::vector<std::string>& notes) {
  const double level = 0.95;
  const auto fitted =
      SeriesForecaster::Fit(*FindForecaster(kChoosingForecaster).value(),
                            {.start = {}, .values = std::move(values)}, {.seasons = {24, 168}});
  notes = fitted.value().notes();
  return fitted.value().Predict(24, std::span(&level, 1)).value();
}

TEST(TellingPoints, ThoseSinceAClearShift) {
  const std::vector<double> values = Hours(504, Shifted);
  const TellingPoints telling = TellingPointsOf(values, kDay);
  EXPECT_EQ(telling.values, std::vector<double>(values.end() - 96, values.end()));
  ASSERT_EQ(telling.notes.size(), 1U);
  EXPECT_TRUE(telling.notes[0].starts_with("the level shifted 96 points ago, from about "))
      << telling.notes[0];
  std::vector<double> down = values;
  for (double& value : down) value = 2'000 - value;
  EXPECT_EQ(TellingPointsOf(down, kDay).values.size(), 96U);
}

TEST(TellingPoints, AnOutlierHidesNoShift) {
  std::vector<double> values = Hours(504, Shifted);
  values[100] = 5'000;
  values[450] = -3'000;
  EXPECT_EQ(TellingPointsOf(values, kDay).values.size(), 96U);
}

TEST(TellingPoints, OrdinarySeriesAreLeftAsTheyAre) {
  const std::vector<std::vector<double>> ordinary = {
      Hours(504, Steady),
      Hours(504, [](std::size_t i) { return static_cast<double>(i); }),
      Hours(504, [](std::size_t i) { return std::exp(0.02 * static_cast<double>(i)); }),
      // Weekends, the last of which has just passed.
      Hours(504, [](std::size_t i) { return i / 24 % 7 < 5 ? 500.0 : 0.0; }),
      // A shift of the last day may be a peak.
      Hours(504, [](std::size_t i) { return i < 480 ? 100.0 : 1'100.0; }),
      std::vector<double>(504, 3),
      {1, 2, 3},
  };
  for (const std::vector<double>& values : ordinary) {
    const TellingPoints telling = TellingPointsOf(values, kDay);
    EXPECT_EQ(telling.values, values);
    EXPECT_TRUE(telling.notes.empty());
  }
}

TEST(TellingPoints, AWildEndIsTakenAsWhatWasBefore) {
  std::vector<double> values = Hours(504, Steady);
  values[503] *= 1e6;
  const TellingPoints telling = TellingPointsOf(values, kDay);
  EXPECT_EQ(telling.values[503], values[502]);
  EXPECT_EQ(telling.notes,
            (std::vector<std::string>{"of the last 3 points one is outside all before by more than "
                                      "10 times their range: taken as the one before"}));
}

TEST(TellingPoints, OfOneValueAllAlongTheEndIsWildByItsSize) {
  const auto end_of = [](double level, double last) {
    std::vector<double> values(504, level);
    values.back() = last;
    return TellingPointsOf(values, kDay).values.back();
  };
  EXPECT_EQ(end_of(5, 5'000), 5);
  EXPECT_EQ(end_of(-5, 5'000), -5);
  EXPECT_EQ(end_of(5, 55), 55);
  EXPECT_EQ(end_of(5, 56), 5);
  EXPECT_EQ(end_of(5, 6), 6);
  EXPECT_EQ(end_of(0, 5'000), 5'000);
  std::vector<double> values(504, 5);
  values.back() = 5'000;
  EXPECT_EQ(TellingPointsOf(values, kDay).notes,
            (std::vector<std::string>{"of the last 3 points one is outside all before by more than "
                                      "10 times their size: taken as the one before"}));
}

TEST(TellingPoints, TheChooserForeseesTheNewLevel) {
  std::vector<std::string> notes;
  const Forecast forecast = NextDay(Hours(504, Shifted), notes);
  EXPECT_GT(std::ranges::min(forecast.mean), 1'050);
  EXPECT_LT(std::ranges::max(forecast.mean), 1'150);
  ASSERT_GE(notes.size(), 2U);
  EXPECT_EQ(notes[1], "no season of 168 points: since the shift there are less than two");
}

TEST(TellingPoints, TheChooserDoesNotFollowAWildEnd) {
  std::vector<double> values = Hours(504, Steady);
  values[503] *= 1e6;
  std::vector<std::string> notes;
  const Forecast forecast = NextDay(values, notes);
  EXPECT_GT(std::ranges::min(forecast.mean), 70);
  EXPECT_LT(std::ranges::max(forecast.mean), 130);
  EXPECT_FALSE(notes.empty());
}

}  // namespace
}  // namespace berth
