#include "report/qos_plots.h"

#include <gtest/gtest.h>

#include <cmath>

#include "report/qos_fairness.h"

namespace berth {
namespace {

// Gold was given all by priority; silver and bronze, two each, as listed.
QosRun QosRunOf(std::string scheduler, std::vector<float> availabilities) {
  QosRun run{.scheduler = std::move(scheduler), .result = {}};
  run.result.classes.resize(3);
  run.result.class_of = {0, 1, 1, 2, 2};
  run.result.availabilities = std::move(availabilities);
  return run;
}

std::vector<QosRun> BothRuns() {
  std::vector<QosRun> runs = {QosRunOf("priority", {1, 0.52F, 1, 0.02F, 0.98F}),
                              QosRunOf("qos", {1, 0.92F, 0.96F, 0.5F, 0.72F})};
  // None in the first interval; in the second bronze is short of its promise by priority.
  const ClassInInterval all{.active = 2, .fulfilled = 2, .least = 1, .gini = 0};
  const ClassInInterval half{.active = 2, .fulfilled = 1, .least = 0.02, .gini = 0.48};
  const ClassInInterval nobody;
  runs[0].result.intervals = {{all, all, all}, {all, nobody, half}};
  runs[1].result.intervals = {{all, all, all}, {all, nobody, all}};
  return runs;
}

TEST(QosPlots, AreWhatTheySay) {
  const std::vector<ServiceClass> classes = DefaultFleetSettings().classes;
  QosOptions options;
  options.classes = classes;
  const Report report = QosReport(BothRuns(), options, "berth");
  EXPECT_TRUE(Validate(report).ok()) << Validate(report).message();

  ASSERT_EQ(report.heat_maps.size(), 3U);
  const HeatMap& silver = report.heat_maps[1];
  EXPECT_EQ(silver.title, "Availability of silver under both schedulers");
  EXPECT_EQ(silver.rows[18][10], 1);  // 92% by qos, 52% by priority.
  EXPECT_EQ(silver.rows[19][19], 1);
  EXPECT_TRUE(std::isnan(silver.rows[0][0]));
  EXPECT_EQ(silver.lines[0].x, (std::vector<double>{0.9, 0.9}));
  const HeatMap& bronze = report.heat_maps[2];
  EXPECT_EQ(bronze.rows[10][0], 1);
  EXPECT_EQ(bronze.rows[14][19], 1);
}

TEST(QosPlots, CountDeficitsInStepsOfFivePercent) {
  const std::vector<Plot> plots = DeficitPlots(BothRuns(), DefaultFleetSettings().classes);
  ASSERT_EQ(plots.size(), 2U);  // Gold has none.
  EXPECT_EQ(plots[0].title, "Deficits of silver");
  EXPECT_DOUBLE_EQ(plots[0].series[0].x[7], 0.375);
  EXPECT_EQ(plots[0].series[0].y[7], 1);  // 38%.
  EXPECT_EQ(plots[1].series[0].y[9], 1);  // 48%.
  for (const Plot& plot : plots) {
    for (const double count : plot.series[1].y) EXPECT_EQ(count, 0);
  }
}

TEST(QosPlots, ShowWhoKeptPromisesWhen) {
  const std::vector<Plot> plots = KeptPlots(BothRuns(), DefaultFleetSettings().classes);
  ASSERT_EQ(plots.size(), 3U);
  EXPECT_EQ(plots[2].series[0].x, (std::vector<double>{0, 600}));
  EXPECT_EQ(plots[2].series[0].y, (std::vector<double>{1, 0.5}));
  EXPECT_EQ(plots[2].series[1].y, (std::vector<double>{1, 1}));
  EXPECT_TRUE(std::isnan(plots[1].series[0].y[1]));
}

TEST(QosPlots, HaveTheMeansOfEveryLevel) {
  const std::vector<ServiceClass> classes = DefaultFleetSettings().classes;
  const std::vector<QosRun> runs = BothRuns();
  const std::vector<ContentionLevel> levels = ContentionLevels(runs[0].result, classes);
  ASSERT_EQ(levels.size(), 2U);
  EXPECT_EQ(levels[0], ContentionLevel::kNone);
  const std::vector<Plot> plots = FairnessPlots(runs, classes, levels);
  ASSERT_EQ(plots.size(), 3U);
  const PlotSeries& bronze_by_priority = plots[0].series[4];
  EXPECT_EQ(bronze_by_priority.name, "bronze, priority");
  EXPECT_EQ(bronze_by_priority.x,
            (std::vector<double>{0, static_cast<double>(static_cast<int>(levels[1]))}));
  EXPECT_EQ(bronze_by_priority.y, (std::vector<double>{0, 0.48}));
  EXPECT_EQ(plots[1].series[4].y, (std::vector<double>{1, 0.02}));
  EXPECT_EQ(plots[2].series[4].y, (std::vector<double>{1, 0.5}));
  EXPECT_EQ(plots[2].series[2].x, std::vector<double>{0});  // Silver was active in one only.
}

}  // namespace
}  // namespace berth
