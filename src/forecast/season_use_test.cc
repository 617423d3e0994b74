#include "forecast/season_use.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "forecast/candidates.h"
#include "forecast/series_forecaster.h"

namespace berth {
namespace {

using SeasonLengths = std::vector<std::size_t>;
using Notes = std::vector<std::string>;

SeasonUse UseOf(std::string_view method, std::size_t points, const SeasonLengths& seasons) {
  return SeasonUseOf(*FindForecaster(method).value(), points, seasons);
}

TEST(SeasonUse, WhatIsNotUsedIsNoted) {
  struct Case {
    std::string_view method;
    std::size_t points;
    SeasonLengths seasons;
    SeasonLengths used;
    Notes notes;
  };
  const std::vector<Case> cases = {
      {"sarima",
       5'000,
       {288, 2'016},
       {},
       {"no season of 288 or 2016 points: sarima takes at most 60"}},
      {"holt_winters",
       500,
       {24, 168},
       {24},
       {"no season of 168 points: holt_winters takes at most 60"}},
      {"exponential_smoothing",
       500,
       {12, 24},
       {24},
       {"no season of 12 points: exponential_smoothing takes one, that of 24"}},
      {"arima", 500, {24, 168}, {}, {"no season of 24 or 168 points: arima takes none"}},
      {"seasonal_naive",
       500,
       {24, 168},
       {168},
       {"no season of 24 points: seasonal_naive takes one, that of 168"}},
      {"seasonal_decomposition", 500, {24, 168}, {24, 168}, {}},
      {"singular_spectrum",
       5'000,
       {168, 288},
       {168},
       {"no season of 288 points: singular_spectrum takes at most 168"}},
      {"lag_regression",
       20,
       {10},
       {},
       {"no season of 10 points: lag_regression needs a longer history for it"}},
      {"support_vector",
       9'000,
       {24, 2'016},
       {24},
       {"no season of 2016 points: support_vector needs more of it in the last 2,000 points"}},
      {"sarima+garch", 500, {24}, {24}, {}},
  };
  for (const Case& one : cases) {
    const SeasonUse use = UseOf(one.method, one.points, one.seasons);
    EXPECT_EQ(use.used, one.used) << one.method;
    EXPECT_EQ(use.notes, one.notes) << one.method;
  }
}

TEST(SeasonUse, EveryMethodUsesAShortSeasonOrSaysThatItDoesNot) {
  for (const ForecasterEntry& method : BuiltinForecasters()) {
    const SeasonUse use = SeasonUseOf(method, 500, SeasonLengths{24});
    if (method.seasons == SeasonsTaken::kOfItsMethods) continue;
    EXPECT_EQ(use.used.empty(), !use.notes.empty()) << method.name;
  }
}

TEST(SeasonUse, IsToldByWhatWasFitted) {
  Rng rng(3);
  TimeSeries series{.start = {}, .values = {}};
  for (int i = 0; i < 160; ++i) series.values.push_back(20 * (i % 8) + rng.Normal());
  const auto fitted = [&](std::string_view method, const SeasonLengths& seasons) {
    return SeriesForecaster::Fit(*FindForecaster(method).value(), series, {.seasons = seasons})
        .value();
  };
  EXPECT_EQ(fitted("sarima", {72}).seasons(), SeasonLengths{});
  EXPECT_EQ(fitted("sarima", {72}).notes(),
            Notes{"no season of 72 points: sarima takes at most 60"});
  EXPECT_EQ(fitted("ensemble", {8}).seasons(), SeasonLengths{8});
  EXPECT_EQ(fitted("chooser+outliers", {8}).seasons(), SeasonLengths{8});
  EXPECT_FALSE(fitted("chooser+outliers", {8}).reason().empty());
}

TEST(SeasonUse, OfSeveralOneThatSomeUseIsUsed) {
  Candidates candidates{.points = 5'000, .seasons = {24, 168, 288}};
  for (const char* method : {"sarima", "singular_spectrum"}) {
    candidates.scored.push_back({.method = method, .fitted = nullptr});
  }
  const SeasonUse both = SeasonUseOf(candidates, std::vector<double>{0.5, 0.5});
  EXPECT_EQ(both.used, (SeasonLengths{24, 168}));
  EXPECT_EQ(both.notes, Notes{"no season of 288 points: no method that is weighted takes it"});
  const SeasonUse one = SeasonUseOf(candidates, std::vector<double>{1, 0});
  EXPECT_EQ(one.used, SeasonLengths{24});
  EXPECT_EQ(one.notes, Notes{"no season of 168 or 288 points: sarima takes at most 60"});
}

}  // namespace
}  // namespace berth
