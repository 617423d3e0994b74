#include "report/rightsizing_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"

namespace berth {
namespace {

std::string_view NameOfSized(Resource resource) {
  return resource == Resource::kCpu ? "cpu" : "memory";
}

// Whole millicores, or mebibytes.
std::string FormatSum(Resource resource, double amount) {
  const double unit = resource == Resource::kCpu ? 1 : 0x1p20;
  return FormatAmount(resource, static_cast<std::int64_t>(std::ceil(amount / unit) * unit));
}

Table LimitsTable(const std::vector<SizingRun>& runs) {
  Table table{
      .title = "Limits",
      .note =
          "Over all days of all services but the first of each. Slack: the share of a day's mean "
          "limit above the 95th percentile of its five-minute means. Above: of what was used, "
          "and of the samples; of memory such a sample is an instance killed.",
      .columns = {{.name = "resource"},
                  {.name = "recommender"},
                  {.name = "limits in all", .right_aligned = true},
                  {.name = "slack", .unit = "%"},
                  {.name = "median", .unit = "%"},
                  {.name = "used above", .unit = "%"},
                  {.name = "samples above", .unit = "%"},
                  {.name = "a task-day"},
                  {.name = "days without", .unit = "%"},
                  {.name = "days unchanged", .unit = "%"},
                  {.name = "changes p99", .unit = "a day"}}};
  for (const SizingRun& run : runs) {
    const SizingTotals totals = SumUp(run.services);
    table.rows.push_back({std::string(NameOfSized(run.resource)), run.recommender,
                          FormatSum(run.resource, totals.footprint), 100 * totals.slack_mean,
                          100 * totals.slack_median, 100 * totals.share_used_above,
                          100 * totals.share_samples_above, totals.above_per_task_day,
                          100 * totals.days_without, 100 * totals.days_unchanged,
                          totals.changes_p99});
  }
  return table;
}

Table SeriousTable(const std::vector<SizingRun>& runs) {
  Table table{
      .title = "Days on which many ran out of memory",
      .note = "More instances than the count and than the share of them, whichever is more.",
      .columns = {{.name = "recommender"}, {.name = "days"}}};
  for (const SeriousThreshold& threshold : kSeriousThresholds) {
    table.columns.push_back(
        {.name = fmt::format("{} or 1/{:.0f}", threshold.count, 1 / threshold.share)});
  }
  for (const SizingRun& run : runs) {
    if (run.resource == Resource::kCpu) continue;
    std::vector<TableCell> row = {run.recommender, static_cast<double>(SumUp(run.services).days)};
    for (const SeriousThreshold& threshold : kSeriousThresholds) {
      row.emplace_back(static_cast<double>(SeriousDays(run.services, threshold)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// How many of the days have at most so much.
Plot DaysPlot(const std::vector<SizingRun>& runs, Resource resource, std::string title,
              std::string label, double (*figure)(const SizingDay&)) {
  constexpr std::size_t kPoints = 200;
  Plot plot{.title = std::move(title),
            .x_label = std::move(label),
            .x_kind = PlotXKind::kNumber,
            .y_label = "days with at most so much",
            .y_unit = "%"};
  for (const SizingRun& run : runs) {
    if (run.resource != resource) continue;
    std::vector<double> values;
    for (const std::vector<SizingDay>& days : run.services) {
      for (const SizingDay& day : days) values.push_back(figure(day));
    }
    if (values.empty()) continue;
    std::ranges::sort(values);
    PlotSeries series{.name = run.recommender, .kind = PlotSeriesKind::kStep};
    const std::size_t points = std::min(kPoints, values.size());
    for (std::size_t i = 1; i <= points; ++i) {
      const std::size_t upto = i * values.size() / points;
      series.x.push_back(values[upto - 1]);
      series.y.push_back(100 * static_cast<double>(upto) / static_cast<double>(values.size()));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

// The frontier: one point a recommender, nearer to the corner is better.
Plot FrontierPlot(const std::vector<SizingRun>& runs, Resource resource) {
  Plot plot{.title = fmt::format("What slack buys: {}", NameOfSized(resource)),
            .note = "Nearer to the lower left corner is better.",
            .x_label = "mean slack, %",
            .x_kind = PlotXKind::kNumber,
            .y_label = "usage above the limit",
            .y_unit = "%"};
  for (const SizingRun& run : runs) {
    if (run.resource != resource) continue;
    const SizingTotals totals = SumUp(run.services);
    plot.series.push_back({.name = run.recommender,
                           .kind = PlotSeriesKind::kPoints,
                           .x = {100 * totals.slack_mean},
                           .y = {100 * totals.share_used_above}});
  }
  return plot;
}

}  // namespace

Report RightsizingReport(const std::vector<SizingRun>& runs, std::vector<HeatMap> maps,
                         std::string command) {
  Report report{.title = "Rightsizing", .command = std::move(command)};
  report.paragraphs.emplace_back(
      "Each limit was set from the usage before it; usage is taken as it was.");
  report.tables.push_back(LimitsTable(runs));
  report.tables.push_back(SeriousTable(runs));
  for (const Resource resource : {Resource::kCpu, Resource::kMemory}) {
    report.plots.push_back(FrontierPlot(runs, resource));
    report.plots.push_back(
        DaysPlot(runs, resource, fmt::format("Slack by day: {}", NameOfSized(resource)),
                 "share of the limit", [](const SizingDay& day) { return day.slack(); }));
    report.plots.push_back(
        DaysPlot(runs, resource,
                 fmt::format("{} by day: {}",
                             resource == Resource::kCpu ? "Samples above the limit" : "Kills",
                             NameOfSized(resource)),
                 "of an instance", [](const SizingDay& day) {
                   return static_cast<double>(day.samples_above) / day.instances;
                 }));
    report.plots.push_back(
        DaysPlot(runs, resource, fmt::format("Changes by day: {}", NameOfSized(resource)),
                 "changes of the limit",
                 [](const SizingDay& day) { return static_cast<double>(day.changes); }));
  }
  report.heat_maps = std::move(maps);
  return report;
}

}  // namespace berth
