#include "report/packing_report.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "report/packing_tables.h"

namespace berth {
namespace {

double Share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

double CoreShare(const Requests& requests) {
  return Share(static_cast<std::uint64_t>(requests.accepted_millicores),
               static_cast<std::uint64_t>(requests.asked_millicores));
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
  filled.note =
      "Density counts only machines that are not empty; the best possible is by volume alone.";
  filled.series = {
      SeriesOf(result, "packing density", [](const PackingSample& s) { return 100 * s.density; }),
      SeriesOf(result, "best possible density",
               [](const PackingSample& s) { return 100 * s.density_bound; }),
      SeriesOf(result, "cores allocated",
               [](const PackingSample& s) { return 100 * s.utilisation; }),
      SeriesOf(result, "memory allocated", [](const PackingSample& s) { return 100 * s.memory; })};
  Plot running{.title = "What runs", .y_label = "count"};
  running.series = {
      SeriesOf(result, "instances",
               [](const PackingSample& s) { return static_cast<double>(s.instances); }),
      SeriesOf(result, "machines in use",
               [](const PackingSample& s) { return static_cast<double>(s.machines_in_use); }),
      SeriesOf(result, "machines needed by volume",
               [](const PackingSample& s) { return static_cast<double>(s.machines_bound); }),
      SeriesOf(result, "instances waiting",
               [](const PackingSample& s) { return static_cast<double>(s.waiting); })};
  Plot asked{.title = "Requests and refusals so far", .y_label = "count"};
  asked.series = {SeriesOf(result, "requests",
                           [](const PackingSample& s) { return static_cast<double>(s.requests); }),
                  SeriesOf(result, "refused",
                           [](const PackingSample& s) { return static_cast<double>(s.refused); })};
  return {filled, running, asked};
}

std::string Times(const DecisionTimes& times, double q) {
  return fmt::format("{:.1f} ms", static_cast<double>(times.micros.Quantile(q)) / 1e3);
}

std::vector<Fact> Headlines(const PackingResult& result) {
  const Requests& requests = result.requests;
  const PackingMeans& means = result.means;
  const Contention& contention = result.contention;
  std::vector<Fact> facts = {
      {.name = "Accepted",
       .value = FormatPercent(Share(requests.accepted, requests.asked)),
       .note = fmt::format("{} of {} requests", FormatCount(requests.accepted),
                           FormatCount(requests.asked))},
      {.name = "Capacity fulfilment",
       .value = fmt::format("{:.4f} %", 100 * CoreShare(requests)),
       .note = "cores of accepted requests over cores asked for"},
      {.name = "Packing density",
       .value = FormatPercent(means.density),
       .note = fmt::format("mean over time, of machines in use; by volume at most {}",
                           FormatPercent(means.density_bound))},
      {.name = "Cores allocated",
       .value = FormatPercent(means.utilisation),
       .note = fmt::format("mean; at most {}", FormatPercent(means.peak_utilisation))},
      {.name = "Fleet",
       .value = fmt::format("{} machines", FormatCount(result.machines)),
       .note = fmt::format("{} cores; in use {:.1f} on average, needed by volume {:.1f}",
                           FormatCount(result.cores), means.machines_in_use, means.machines_bound)},
      {.name = "Instances placed",
       .value = FormatCount(requests.instances),
       .note = fmt::format("{} services left again", FormatCount(result.departures))},
      {.name = "Conflicts",
       .value = FormatCount(contention.conflicts),
       .note = fmt::format("of {} commits; {} stale views merged", FormatCount(contention.commits),
                           FormatCount(contention.merged))}};
  if (result.times) {
    facts.push_back({.name = "Decision time",
                     .value = Times(*result.times, 0.5),
                     .note = fmt::format("median, queueing included; p99 {}, p99.9 {}",
                                         Times(*result.times, 0.99), Times(*result.times, 0.999))});
  }
  facts.push_back({.name = "Unseed",
                   .value = fmt::format("{:016x}", result.unseed),
                   .note = "same inputs and seed, same number"});
  return facts;
}

}  // namespace

Report PackingReport(const PackingResult& result, const RunOf& run) {
  Report report{
      .title = "Packing rehearsal",
      .subtitle = fmt::format("fleet {}, trace {}, policy {}", run.fleet, run.trace, run.policy),
      .command = run.command,
      .seed = run.seed};
  report.paragraphs = result.notes.lines;
  report.facts = Headlines(result);
  report.tables = PackingTables(result);
  report.plots = Plots(result);
  return report;
}

}  // namespace berth
