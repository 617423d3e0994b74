#include "report/scaling_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace berth {
namespace {

// Enough for a screen; of the points between two that are drawn the highest stays.
constexpr std::size_t kScalingPoints = 2000;

Table ScalersTable(const std::vector<ScalingRun>& runs) {
  Table table{.title = "Replicas",
              .note =
                  "Unserved: the share of the load above the limits of the replicas that answer. "
                  "Short: of the time, with fewer than the target needs. Over: of the replicas, "
                  "with more.",
              .columns = {{.name = "scaler"},
                          {.name = "replicas", .unit = "mean"},
                          {.name = "unserved", .unit = "%"},
                          {.name = "short", .unit = "%"},
                          {.name = "over", .unit = "%"},
                          {.name = "changes", .unit = "a day"},
                          {.name = "the last count"}}};
  for (const ScalingRun& run : runs) {
    const ScalingTotals totals = SumUp(run.outcome.steps);
    table.rows.push_back({run.scaler, totals.replicas_mean, 100 * totals.unserved,
                          100 * totals.time_short, 100 * totals.over, totals.changes_a_day,
                          run.outcome.why});
  }
  return table;
}

Table RestlessnessTable(const std::vector<ScalingRun>& runs) {
  Table table{.title = "Beside the sizing of cpu",
              .note =
                  "The replicas of a day over what they would be with the limit left alone, from "
                  "the second day on, and how often this turned by a fifth or more.",
              .columns = {{.name = "scaler"},
                          {.name = "least"},
                          {.name = "most"},
                          {.name = "turns"},
                          {.name = "last limit", .right_aligned = true},
                          {.name = "verdict"}}};
  for (const ScalingRun& run : runs) {
    if (!run.restlessness) continue;
    const Restlessness& found = *run.restlessness;
    const std::int64_t limit = run.outcome.steps.back().limit_milli;
    table.rows.push_back({run.scaler, found.least, found.most, static_cast<double>(found.turns),
                          FormatAmount(Resource::kCpu, limit),
                          found.IsSettled() ? "settled" : "restless"});
  }
  return table;
}

template <typename ValueOf>
PlotSeries ScalingSeries(std::string name, const std::vector<ScalingStep>& steps,
                         ValueOf value_of) {
  PlotSeries series{.name = std::move(name), .kind = PlotSeriesKind::kStep};
  const std::size_t together = (steps.size() + kScalingPoints - 1) / kScalingPoints;
  for (std::size_t i = 0; i < steps.size(); i += together) {
    double most = value_of(steps[i]);
    for (std::size_t j = i + 1; j < std::min(i + together, steps.size()); ++j) {
      most = std::max(most, value_of(steps[j]));
    }
    series.x.push_back(std::chrono::duration<double>(steps[i].at - steps.front().at).count());
    series.y.push_back(most);
  }
  return series;
}

Plot CountsPlot(const std::vector<ScalingRun>& runs) {
  Plot plot{
      .title = "Replicas over time", .x_label = "time since the first row", .y_label = "replicas"};
  plot.series.push_back(
      ScalingSeries("needed at the target", runs.front().outcome.steps,
                    [](const ScalingStep& step) { return static_cast<double>(step.needed); }));
  for (const ScalingRun& run : runs) {
    plot.series.push_back(ScalingSeries(run.scaler, run.outcome.steps, [](const ScalingStep& step) {
      return static_cast<double>(step.replicas);
    }));
  }
  return plot;
}

Plot CpuPlot(const std::vector<ScalingRun>& runs) {
  Plot plot{.title = "Cpu over time",
            .note = "What those that answer may use together, and what the load asks for.",
            .x_label = "time since the first row",
            .y_label = "cpu",
            .y_unit = "cores"};
  plot.series.push_back(
      ScalingSeries("load", runs.front().outcome.steps,
                    [](const ScalingStep& step) { return step.load_milli / 1000; }));
  for (const ScalingRun& run : runs) {
    plot.series.push_back(ScalingSeries(run.scaler, run.outcome.steps, [](const ScalingStep& step) {
      return static_cast<double>(step.limit_milli) * step.answering / 1000;
    }));
  }
  return plot;
}

}  // namespace

Report ScalingReport(const std::vector<ScalingRun>& runs, std::string command) {
  Report report{.title = "Scaling", .command = std::move(command)};
  report.paragraphs.emplace_back("Each count was set from the load before it.");
  report.tables.push_back(ScalersTable(runs));
  report.plots.push_back(CountsPlot(runs));
  report.plots.push_back(CpuPlot(runs));
  if (!runs.front().restlessness) return report;
  report.tables.push_back(RestlessnessTable(runs));
  Plot limits{.title = "The limit of one replica",
              .x_label = "time since the first row",
              .y_label = "cpu",
              .y_unit = "cores"};
  for (const ScalingRun& run : runs) {
    limits.series.push_back(ScalingSeries(
        run.scaler, run.outcome.steps,
        [](const ScalingStep& step) { return static_cast<double>(step.limit_milli) / 1000; }));
  }
  report.plots.push_back(std::move(limits));
  return report;
}

}  // namespace berth
