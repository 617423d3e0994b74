#include "report/rightsizing_map.h"

#include <gtest/gtest.h>

#include <cmath>

namespace berth {
namespace {

using std::chrono::minutes;

// Three windows of two instances; 96 cores at most, so that a row is two cores.
TEST(UsageMap, CountsSamplesAndMarksWhatWasAboveTheLimit) {
  ServiceUsage usage{.service = "web", .asked = {}, .windows = {}};
  for (const std::vector<float>& cpu :
       {std::vector<float>{1000, 1500}, {5000, 90'000}, {3000, 3000}}) {
    const Time begin(minutes(5) * std::ssize(usage.windows));
    usage.windows.push_back({.begin = begin, .cpu = cpu, .memory = {1, 1}});
  }
  const double top = 96'000 / 1.02;
  const std::vector<LimitLine> lines = {
      {"window", {std::nullopt, 4000, 6000}},
      {"fixed", {std::nullopt, static_cast<std::int64_t>(top), static_cast<std::int64_t>(top)}}};
  const HeatMap map = UsageMap(usage, Resource::kCpu, lines);
  Report report;
  report.heat_maps = {map};
  EXPECT_TRUE(Validate(report).ok()) << Validate(report).message();
  ASSERT_EQ(map.rows.size(), 48U);
  ASSERT_EQ(map.rows[0].size(), 3U);
  EXPECT_EQ(map.x_edges, (std::vector<double>{0, 300, 600, 900}));
  EXPECT_EQ(map.rows[0][0], 2);
  EXPECT_EQ(map.rows[2][1], 1);
  EXPECT_EQ(map.rows[45][1], 1);
  EXPECT_EQ(map.rows[1][2], 2);
  EXPECT_TRUE(std::isnan(map.rows[1][0]));
  ASSERT_EQ(map.lines.size(), 3U);
  EXPECT_EQ(map.lines[0].name, "window");
  EXPECT_EQ(map.lines[0].x, (std::vector<double>{300, 600, 900}));
  EXPECT_EQ(map.lines[0].y, (std::vector<double>{4, 6, 6}));
  EXPECT_EQ(map.lines[1].name, "window: used above");
  EXPECT_EQ(map.lines[1].kind, PlotSeriesKind::kPoints);
  EXPECT_EQ(map.lines[1].x, (std::vector<double>{450}));
  EXPECT_EQ(map.lines[1].y, (std::vector<double>{90}));
  EXPECT_EQ(map.lines[2].name, "fixed");
}

// A long time is drawn in few columns.
TEST(UsageMap, HasAsManyColumnsAsFitAScreen) {
  ServiceUsage usage{.service = "web", .asked = {}, .windows = {}};
  for (int i = 0; i < 10'000; ++i) {
    usage.windows.push_back({.begin = Time(minutes(5) * i), .cpu = {100}, .memory = {1}});
  }
  const HeatMap map = UsageMap(usage, Resource::kCpu, {});
  EXPECT_LE(map.x_edges.size(), 241U);
  double all = 0;
  for (const std::vector<double>& row : map.rows) {
    for (const double cell : row) all += std::isnan(cell) ? 0 : cell;
  }
  EXPECT_EQ(all, 10'000);
}

}  // namespace
}  // namespace berth
