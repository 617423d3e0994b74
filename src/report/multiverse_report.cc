#include "report/multiverse_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/text.h"
#include "qos/metrics.h"

namespace berth {
namespace {

using multiverse::CellResult;
using multiverse::RunResult;

constexpr std::array<double, 8> kResponseQuantiles = {0.05, 0.25, 0.5, 0.75, 0.8, 0.9, 0.95, 0.99};
// Points of a distribution that is drawn.
constexpr std::size_t kCdfPoints = 400;

template <typename ValueOf>
std::vector<double> OfRuns(const CellResult& cell, ValueOf value_of) {
  std::vector<double> values;
  values.reserve(cell.runs.size());
  for (const RunResult& run : cell.runs) values.push_back(value_of(run));
  return values;
}

double SumOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

double ShareOf(const RunResult& run) {
  if (run.generated == 0) return std::numeric_limits<double>::quiet_NaN();
  return 100 * static_cast<double>(run.fulfilled) / static_cast<double>(run.generated);
}

Table CellsTable(const std::vector<CellResult>& cells) {
  Table table{.title = "Requests",
              .note =
                  "Fulfilled: the share of all runs' requests; the interval is that of the "
                  "mean over runs, 95 %.",
              .columns = {{.name = "cell"},
                          {.name = "runs"},
                          {.name = "generated"},
                          {.name = "fulfilled"},
                          {.name = "fulfilled", .unit = "%"},
                          {.name = "+-", .unit = "%"},
                          {.name = "cost", .unit = "a run"},
                          {.name = "+- cost"}}};
  table.rows.reserve(cells.size());
  for (const CellResult& cell : cells) {
    const double generated = SumOf(
        OfRuns(cell, [](const RunResult& run) { return static_cast<double>(run.generated); }));
    const double fulfilled = SumOf(
        OfRuns(cell, [](const RunResult& run) { return static_cast<double>(run.fulfilled); }));
    const MeanInterval share = MeanWithInterval(OfRuns(cell, ShareOf));
    const MeanInterval cost =
        MeanWithInterval(OfRuns(cell, [](const RunResult& run) { return run.cost; }));
    table.rows.push_back({cell.name, static_cast<double>(cell.runs.size()), generated, fulfilled,
                          100 * fulfilled / generated, share.half_width, cost.mean,
                          cost.half_width});
  }
  return table;
}

std::vector<std::int64_t> AllTimes(const CellResult& cell) {
  std::vector<std::int64_t> times;
  for (const RunResult& run : cell.runs) {
    times.insert(times.end(), run.response_times.begin(), run.response_times.end());
  }
  std::sort(times.begin(), times.end());
  return times;
}

double MillisAt(const std::vector<std::int64_t>& sorted, double q) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(sorted.size())));
  return static_cast<double>(sorted[std::max<std::size_t>(rank, 1) - 1]) / 1e3;
}

Table TimesTable(const std::vector<CellResult>& cells) {
  Table table{.title = "Response times of fulfilled requests",
              .note = "Milliseconds charged to requests, of all runs together."};
  table.columns.push_back({.name = "cell"});
  for (const double q : kResponseQuantiles) {
    table.columns.push_back({.name = fmt::format("p{:.0f}", 100 * q), .unit = "ms"});
  }
  for (const CellResult& cell : cells) {
    const std::vector<std::int64_t> times = AllTimes(cell);
    std::vector<TableCell> row = {cell.name};
    row.reserve(table.columns.size());
    for (const double q : kResponseQuantiles) row.emplace_back(MillisAt(times, q));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table NodesTable(const std::vector<CellResult>& cells) {
  Table table{
      .title = "Nodes",
      .note =
          "Means over time and runs. Ordered: with those that boot, without those that "
          "are to go.",
      .columns = {{.name = "cell"}, {.name = "node type"}, {.name = "ordered"}, {.name = "up"}}};
  for (const CellResult& cell : cells) {
    for (std::size_t type = 0; type < cell.node_types.size(); ++type) {
      const std::vector<double> ordered =
          OfRuns(cell, [&](const RunResult& run) { return run.ordered_nodes[type]; });
      const std::vector<double> up =
          OfRuns(cell, [&](const RunResult& run) { return run.nodes[type]; });
      const auto runs = static_cast<double>(cell.runs.size());
      if (SumOf(ordered) == 0 && SumOf(up) == 0) continue;
      table.rows.push_back(
          {cell.name, cell.node_types[type], SumOf(ordered) / runs, SumOf(up) / runs});
    }
  }
  return table;
}

Plot TimesPlot(const std::vector<CellResult>& cells) {
  Plot plot{.title = "Response times of fulfilled requests",
            .x_label = "response time, ms",
            .x_kind = PlotXKind::kNumber,
            .y_label = "share of fulfilled requests",
            .y_unit = "%"};
  for (const CellResult& cell : cells) {
    const std::vector<std::int64_t> times = AllTimes(cell);
    if (times.empty()) continue;
    PlotSeries series{.name = cell.name};
    series.x.reserve(kCdfPoints);
    series.y.reserve(kCdfPoints);
    for (std::size_t i = 1; i <= kCdfPoints; ++i) {
      const double q = static_cast<double>(i) / static_cast<double>(kCdfPoints);
      series.x.push_back(MillisAt(times, q));
      series.y.push_back(100 * q);
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Plot SharesPlot(const std::vector<CellResult>& cells) {
  Plot plot{.title = "Fulfilled in each run",
            .x_label = "run",
            .x_kind = PlotXKind::kNumber,
            .y_label = "fulfilled",
            .y_unit = "%"};
  for (const CellResult& cell : cells) {
    PlotSeries series{.name = cell.name, .kind = PlotSeriesKind::kPoints};
    series.y = OfRuns(cell, ShareOf);
    series.x.reserve(series.y.size());
    for (std::size_t i = 0; i < series.y.size(); ++i) {
      series.x.push_back(static_cast<double>(i + 1));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace

Report MultiverseReport(const std::vector<CellResult>& cells, const std::string& folder,
                        std::string command, std::uint64_t seed) {
  return {.title = "A Multiverse experiment",
          .subtitle = folder,
          .command = std::move(command),
          .seed = seed,
          .tables = {CellsTable(cells), TimesTable(cells), NodesTable(cells)},
          .plots = {TimesPlot(cells), SharesPlot(cells)}};
}

Table QuirksTable() {
  Table table{
      .title = "Quirks",
      .columns = {
          {.name = "quirk"}, {.name = "head"}, {.name = "jan2021"}, {.name = "what it does"}}};
  table.rows.reserve(multiverse::AllQuirks().size());
  for (const multiverse::QuirkInfo& info : multiverse::AllQuirks()) {
    table.rows.push_back({std::string(info.name), info.in_head ? "on" : "off",
                          info.in_january_2021 ? "on" : "off", std::string(info.about)});
  }
  return table;
}

}  // namespace berth
