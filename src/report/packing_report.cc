#include "report/packing_report.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"

namespace berth {
namespace {

std::string Percent(double share) { return fmt::format("{:.1f} %", 100 * share); }
std::string Count(std::uint64_t count) { return FormatCount(static_cast<std::int64_t>(count)); }

double Share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

Table RefusalTable(const PackingResult& result) {
  Table table{.title = "Refusals by the rule that decided",
              .note = result.refusals.empty() ? "Nothing was refused." : "",
              .columns = {{.name = "rule"}, {.name = "requests"}, {.name = "share", .unit = "%"}}};
  for (const auto& [rule, count] : result.refusals) {
    table.rows.push_back({rule, static_cast<double>(count), 100 * Share(count, result.requests)});
  }
  return table;
}

Table RuleTable(const PackingResult& result) {
  Table table{
      .title = "How much each rule narrows the choice",
      .note = "Machines left after the rule over machines before it, mean over all decisions.",
      .columns = {
          {.name = "rule"}, {.name = "kind"}, {.name = "asked"}, {.name = "kept", .unit = "%"}}};
  for (const RuleEffect& effect : result.rules) {
    table.rows.push_back({effect.rule, std::string(effect.validator ? "validator" : "preference"),
                          static_cast<double>(effect.asked), 100 * effect.kept});
  }
  return table;
}

template <typename Get>
PlotSeries SeriesOf(const PackingResult& result, std::string name, Get get) {
  PlotSeries series{.name = std::move(name), .kind = PlotSeriesKind::kStep};
  for (const PackingSample& sample : result.samples) {
    series.x.push_back(static_cast<double>(ToMicros(sample.at)) / 1e6);
    series.y.push_back(get(sample));
  }
  return series;
}

std::vector<Plot> Plots(const PackingResult& result) {
  Plot filled{.title = "How full the fleet is", .y_label = "share", .y_unit = "%"};
  filled.note = "Density counts only machines that are not empty.";
  filled.series = {
      SeriesOf(result, "packing density", [](const PackingSample& s) { return 100 * s.density; }),
      SeriesOf(result, "cores allocated",
               [](const PackingSample& s) { return 100 * s.utilisation; }),
      SeriesOf(result, "memory allocated", [](const PackingSample& s) { return 100 * s.memory; })};
  Plot running{.title = "What runs", .y_label = "count"};
  running.series = {
      SeriesOf(result, "instances",
               [](const PackingSample& s) { return static_cast<double>(s.instances); }),
      SeriesOf(result, "machines in use",
               [](const PackingSample& s) { return static_cast<double>(s.machines_in_use); }),
      SeriesOf(result, "instances waiting",
               [](const PackingSample& s) { return static_cast<double>(s.waiting); })};
  Plot asked{.title = "Requests and refusals so far", .y_label = "count"};
  asked.series = {SeriesOf(result, "requests",
                           [](const PackingSample& s) { return static_cast<double>(s.requests); }),
                  SeriesOf(result, "refused",
                           [](const PackingSample& s) { return static_cast<double>(s.refused); })};
  return {filled, running, asked};
}

}  // namespace

Report PackingReport(const PackingResult& result, const RunOf& run) {
  Report report{
      .title = "Packing rehearsal",
      .subtitle = fmt::format("fleet {}, trace {}, policy {}", run.fleet, run.trace, run.policy),
      .command = run.command,
      .seed = run.seed};
  report.paragraphs = result.notes.lines;
  report.facts = {
      {.name = "Accepted",
       .value = Percent(Share(result.accepted, result.requests)),
       .note = fmt::format("{} of {} requests", Count(result.accepted), Count(result.requests))},
      {.name = "Packing density",
       .value = Percent(result.mean_density),
       .note = "mean over time, of machines in use"},
      {.name = "Cores allocated",
       .value = Percent(result.mean_utilisation),
       .note = fmt::format("mean; at most {}", Percent(result.peak_utilisation))},
      {.name = "Fleet",
       .value = fmt::format("{} machines", Count(result.machines)),
       .note = fmt::format("{} cores", Count(result.cores))},
      {.name = "Instances placed",
       .value = Count(result.instances),
       .note = fmt::format("{} services left again", Count(result.departures))},
      {.name = "Conflicts",
       .value = Count(result.engine.conflicts),
       .note = fmt::format("{} stale views merged", Count(result.engine.merged))},
      {.name = "Unseed",
       .value = fmt::format("{:016x}", result.unseed),
       .note = "same inputs and seed, same number"}};
  report.tables = {RefusalTable(result), RuleTable(result)};
  report.plots = Plots(result);
  return report;
}

}  // namespace berth
