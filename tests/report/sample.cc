// Writes reports for the browser test: report_sample <folder> makes one/ and several/ in it.
//
// Between them they have every kind of series, both scales, gaps, an empty plot, missing cells, a
// heat map with lines and points over it, an empty one and text that tries to leave the data block.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "report/write.h"

namespace berth {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr double kHourSeconds = 3600;

Plot UtilisationPlot(double level) {
  PlotSeries cpu{.name = "cpu", .kind = PlotSeriesKind::kLine};
  PlotSeries memory{.name = "memory", .kind = PlotSeriesKind::kLine};
  for (int minute = 0; minute <= 48 * 60; minute += 10) {
    const double hours = minute / 60.0;
    const double daily = std::sin((hours - 8) / 24 * 6.2832);
    cpu.x.push_back(minute * 60.0);
    cpu.y.push_back(level + 18 * daily + 3 * std::sin(hours * 5));
    memory.x.push_back(minute * 60.0);
    const bool gap = hours > 20 && hours < 23;
    memory.y.push_back(gap ? kMissing : level + 12 + 6 * daily + std::sin(hours * 3));
  }
  return {.title = "Allocated share of the fleet",
          .note = "Sum of limits over capacity, all clusters. Usage was not reported for 3 hours.",
          .x_label = "Time since start",
          .x_kind = PlotXKind::kTime,
          .y_label = "Allocated",
          .y_unit = "%",
          .series = {cpu, memory}};
}

Plot PendingPlot() {
  PlotSeries pending{.name = "pending", .kind = PlotSeriesKind::kStep};
  for (int i = 0; i <= 60; ++i) {
    pending.x.push_back(i * 0.8 * kHourSeconds);
    pending.y.push_back((i * 7919) % 13 * (i % 9 < 4 ? 1 : 0));
  }
  PlotSeries limit{.name = "bound of the queue",
                   .kind = PlotSeriesKind::kLine,
                   .x = {0, 48 * kHourSeconds},
                   .y = {12, 12}};
  return {.title = "Instances waiting for room",
          .x_label = "Time since start",
          .x_kind = PlotXKind::kTime,
          .y_label = "Instances",
          .series = {pending, limit}};
}

Plot LatencyPlot() {
  PlotSeries warm{.name = "cached evaluation", .kind = PlotSeriesKind::kBars};
  PlotSeries cold{.name = "from scratch", .kind = PlotSeriesKind::kBars};
  for (int bucket = 1; bucket <= 10; ++bucket) {
    warm.x.push_back(bucket * 5);
    warm.y.push_back(std::floor(42000 * std::exp(-bucket * 0.7)));
    cold.x.push_back(bucket * 5);
    cold.y.push_back(std::floor(9000 * std::exp(-(bucket - 5) * (bucket - 5) * 0.18)));
  }
  return {.title = "Placement latency",
          .note = "Requests per bucket of five microseconds.",
          .x_label = "Latency (µs)",
          .x_kind = PlotXKind::kNumber,
          .y_label = "Requests",
          .series = {warm, cold}};
}

Plot ViolationPlot() {
  PlotSeries points{.name = "machine", .kind = PlotSeriesKind::kPoints};
  for (int i = 0; i < 240; ++i) {
    const double load = 40 + (i * 37 % 60);
    points.x.push_back(load);
    points.y.push_back(i % 40 == 0 ? 0 : std::exp((load - 105) / 6) * (1 + (i * 31 % 17) / 8.0));
  }
  return {.title = "Violation probability by load",
          .note = "A point a machine.",
          .x_label = "Load (%)",
          .x_kind = PlotXKind::kNumber,
          .y_label = "Probability of a violation within a day",
          .y_scale = PlotYScale::kLog,
          .series = {points}};
}

HeatMap UsageMap() {
  HeatMap map{.title = "Usage of the tasks of a job",
              .note = "How many of its tasks used so much, and the limit that they had.",
              .x_label = "Time since start",
              .x_kind = PlotXKind::kTime,
              .y_label = "cpu",
              .y_unit = "cores",
              .value_label = "tasks",
              .value_scale = PlotYScale::kLog};
  constexpr int kColumns = 24;
  constexpr int kRows = 10;
  for (int i = 0; i <= kColumns; ++i) map.x_edges.push_back(i * kHourSeconds);
  for (int i = 0; i <= kRows; ++i) map.y_edges.push_back(0.25 * i);
  PlotSeries limit{.name = "limit", .kind = PlotSeriesKind::kStep};
  for (int row = 0; row < kRows; ++row) {
    map.rows.emplace_back();
    for (int column = 0; column < kColumns; ++column) {
      const double busy = 4 + 3 * std::sin((column - 8) / 24.0 * 6.2832);
      const double tasks = std::floor(900 * std::exp(-(row - busy) * (row - busy)));
      map.rows.back().push_back(tasks == 0 ? kMissing : tasks);
    }
  }
  for (int column = 0; column <= kColumns; ++column) {
    limit.x.push_back(column * kHourSeconds);
    limit.y.push_back(column < 10 ? 2.25 : 2);
  }
  const PlotSeries above{.name = "above",
                         .kind = PlotSeriesKind::kPoints,
                         .x = {12.5 * kHourSeconds, 14.5 * kHourSeconds},
                         .y = {2.1, 2.2}};
  const PlotSeries other{.name = "other limit",
                         .kind = PlotSeriesKind::kLine,
                         .x = {0, 24 * kHourSeconds},
                         .y = {2.4, 2.4}};
  map.lines = {limit, above, other};
  return map;
}

Graph CallsGraph() {
  return {.title = "Who calls whom",
          .note = "A thick border is a bottleneck candidate.",
          .weight_label = "calls",
          .nodes = {{.name = "front", .note = "fan-out 2"},
                    {.name = "cart", .layer = 1},
                    {.name = "a-service-whose-name-is-longer-than-any-box", .layer = 1},
                    {.name = "store", .layer = 2, .marked = true}},
          .edges = {{.from = 0, .to = 1, .weight = 1'000},
                    {.from = 0, .to = 2, .weight = 10},
                    {.from = 1, .to = 3},
                    {.from = 2, .to = 3},
                    {.from = 3, .to = 1}}};
}

Table ClusterTable() {
  Table table{.title = "Clusters",
              .note = "Empty machines could be switched off.",
              .columns = {{.name = "Cluster"},
                          {.name = "SKU"},
                          {.name = "Machines"},
                          {.name = "Empty"},
                          {.name = "cpu", .unit = "%"},
                          {.name = "memory", .unit = "%"},
                          {.name = "Refused", .unit = "per million", .right_aligned = true}}};
  for (int i = 1; i <= 14; ++i) {
    table.rows.push_back({"west-" + std::to_string(i), i % 3 == 0 ? "storage-48" : "compute-96",
                          400.0 + i * 137 % 900, static_cast<double>(i * 53 % 71),
                          58.25 + i * 29 % 31, i == 4 ? kMissing : 61.5 + i * 17 % 23,
                          i == 6 ? TableCell("none") : TableCell(0.125 * (i * 41 % 97))});
  }
  return table;
}

Report Sample(const std::string& policy, std::uint64_t seed, double level) {
  return {.title = "Packing a week of arrivals, policy " + policy,
          .subtitle = "10,000 machines in 14 clusters, 18,350 requests over 48 hours",
          .command = "berth simulate packing --fleet fleet.yaml --policy " + policy + ".yaml",
          .seed = seed,
          .paragraphs = {"Arrivals are replayed with their original times. </script><!-- Every "
                         "request that no cluster could hold was retried once an hour."},
          .facts = {{"Placed", "99.2 %", "18,204 of 18,350 requests"},
                    {"Packing density", std::to_string(static_cast<int>(level)) + " %",
                     "cpu, mean over the run"},
                    {"Empty machines", "412", "4.1 % of the fleet"},
                    {"Conflicts", "37", "all retried and placed"},
                    {"Unseed", "7f3a91c2", ""}},
          .tables = {ClusterTable()},
          .plots = {UtilisationPlot(level), PendingPlot(), LatencyPlot(), ViolationPlot()},
          .heat_maps = {UsageMap()},
          .graphs = {CallsGraph()}};
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: report_sample <folder>\n", stderr);
    return 2;
  }
  const std::string folder = argv[1];
  const std::vector<berth::Report> one = {berth::Sample("best-fit", 42, 62)};
  std::vector<berth::Report> several = {berth::Sample("best-fit", 42, 62),
                                        berth::Sample("spread", 43, 48)};
  several.back().plots.push_back({.title = "Preemptions"});
  several.back().heat_maps.push_back({.title = "No cells", .x_edges = {0}, .y_edges = {0}});
  several.back().graphs.push_back({.title = "No boxes"});
  several.back().facts.pop_back();
  for (const berth::Status& status : {berth::WriteReport(folder + "/one", one),
                                      berth::WriteReport(folder + "/several", several)}) {
    if (status.ok()) continue;
    std::fprintf(stderr, "report_sample: %s\n", status.message().c_str());
    return 1;
  }
  return 0;
}
