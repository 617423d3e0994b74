#include "forecast/performance_classes.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

MethodTrial TrialOf(std::string_view method, double score, int micros, double coverage = 1) {
  return {.series = 0,
          .method = method,
          .score = score,
          .coverage = coverage,
          .fitting = Duration(micros)};
}

TEST(PerformanceClasses, ByHand) {
  // Scores 1 2 3 4 5 6, times 10 20 30 40 50 60: the borders are 3 and 30.
  const std::vector<MethodTrial> trials = {TrialOf("a", 1, 10, 0.9), TrialOf("b", 2, 60),
                                           TrialOf("c", 6, 20),      TrialOf("a", 3, 30, 0.7),
                                           TrialOf("b", 4, 50),      TrialOf("c", 5, 40)};
  const ClassBorders borders = BordersOf(trials);
  EXPECT_EQ(borders.score, 3);
  EXPECT_EQ(borders.fitting, Duration(30));
  const std::vector<MethodStanding> standings = StandingsOf(trials);
  ASSERT_EQ(standings.size(), 3U);
  using Classes = std::array<std::size_t, 4>;
  EXPECT_EQ(standings[0].method, "a");
  EXPECT_EQ(standings[0].in_class, (Classes{2, 0, 0, 0}));
  EXPECT_EQ(standings[1].in_class, (Classes{0, 1, 0, 1}));
  EXPECT_EQ(standings[2].in_class, (Classes{0, 0, 1, 1}));
  EXPECT_EQ(standings[0].score_median, 1);
  EXPECT_EQ(standings[0].score_mean, 2);
  EXPECT_NEAR(standings[0].coverage_mean, 0.8, 1e-12);
  EXPECT_EQ(standings[1].fitting_median, Duration(50));
}

TEST(PerformanceClasses, TriesEachMethodOnEachSeries) {
  std::vector<NamedSeries> series(3);
  for (int i = 0; i < 60; ++i) {
    series[0].series.values.push_back(i % 7);
    series[1].series.values.push_back(3);  // It has no score: it is always the same.
  }
  series[2].series.values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12};
  series[0].name = "first.csv";
  series[1].name = "flat.csv";
  series[2].name = "short.csv";
  const std::vector<const ForecasterEntry*> methods = {FindForecaster("average").value(),
                                                       FindForecaster("last_value").value()};
  std::size_t told = 0;
  const auto trials = TryMethods(methods, series, {.horizon = 10, .fit = {}}, "none",
                                 [&](std::size_t done) { told += done; });
  ASSERT_TRUE(trials.ok());
  ASSERT_EQ(trials.value().trials.size(), 2U);
  EXPECT_EQ(trials.value().trials[1].method, "last_value");
  EXPECT_EQ(trials.value().left_out,
            (std::vector<std::string>{"flat.csv: it repeats itself exactly from season to season",
                                      "short.csv: the last 10 points would be held out, the series "
                                      "has 11, and average needs 2 before them; shorten the "
                                      "horizon"}));
  EXPECT_EQ(told, 6U);
  const auto none = TryMethods(methods, std::span(series).subspan(1, 1), {.horizon = 10, .fit = {}},
                               "none", [](std::size_t) {});
  EXPECT_EQ(none.status().message(),
            "no series has a score: flat.csv: it repeats itself exactly from season to season");
}

TEST(PerformanceClasses, WhatEndsTheRunIsNamed) {
  std::vector<NamedSeries> series(1);
  for (int i = 0; i < 60; ++i) series[0].series.values.push_back(i % 7);
  series[0].name = "first.csv";
  const std::vector<const ForecasterEntry*> methods = {FindForecaster("average").value()};
  const auto trials = TryMethods(methods, series, {.horizon = 10, .level = 2, .fit = {}}, "none",
                                 [](std::size_t) {});
  EXPECT_EQ(trials.status().message(), "first.csv: a level is between 0 and 1, not 2");
}

TEST(PerformanceClasses, ListedShort) {
  EXPECT_EQ(ListedShort(std::vector<std::string>{"a", "b"}), "a; b");
  EXPECT_TRUE(ListedShort(std::vector<std::string>(25, "a")).ends_with("; a; and 5 more"));
}

}  // namespace
}  // namespace berth
