#include "report/faults_report.h"

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace berth {
namespace {

Table FaultTable(const FaultSeedsResult& result) {
  Table table{.title = "Faults", .columns = {{.name = "fault"}, {.name = "times"}}};
  for (std::size_t i = 0; i < faults::kFaultCount; ++i) {
    table.rows.push_back({std::string(ToString(static_cast<faults::Fault>(i))),
                          static_cast<double>(result.sum.faults[i])});
  }
  return table;
}

Table WorkTable(const FaultSeedsResult& result) {
  const FaultResult& sum = result.sum;
  const std::pair<std::string_view, std::uint64_t> figures[] = {
      {"seeds", result.seeds},
      {"steps", sum.steps},
      {"requests", sum.clients.asked},
      {"asked again", sum.clients.retries},
      {"acknowledged", sum.clients.acknowledged},
      {"answered that they make no sense", sum.clients.errors},
      {"given up", sum.clients.given_up},
      {"commits", sum.store.commits},
      {"merged from a stale view", sum.store.merged},
      {"conflicts", sum.store.conflicts},
      {"answered as duplicates by the store", sum.store.duplicates}};
  Table table{.title = "Work", .columns = {{.name = "what"}, {.name = "count"}}};
  for (const auto& [name, count] : figures) {
    table.rows.push_back({std::string(name), static_cast<double>(count)});
  }
  return table;
}

// Of what was run, as a user would name it.
std::string Seeds(const FaultSeedsOptions& options, std::uint64_t count) {
  return count == 1
             ? fmt::format("seed {}", options.first_seed)
             : fmt::format("seeds {} to {}", options.first_seed, options.first_seed + count - 1);
}

// One curve of the plots: its name, and its figure of a seed.
struct Curve {
  std::string_view name;
  std::uint64_t (*of)(const FaultSeed&);
};

Plot BySeed(std::string title, std::string y_label, std::span<const Curve> curves,
            const FaultSeedsOptions& options, const FaultSeedsResult& result) {
  Plot plot{.title = std::move(title),
            .note = result.seeds > result.each.size()
                        ? fmt::format("The first {} seeds.", result.each.size())
                        : "",
            .x_label = "seed",
            .x_kind = PlotXKind::kNumber,
            .y_label = std::move(y_label)};
  for (const Curve& curve : curves) {
    PlotSeries series{.name = std::string(curve.name), .kind = PlotSeriesKind::kPoints};
    for (std::size_t i = 0; i < result.each.size(); ++i) {
      series.x.push_back(static_cast<double>(options.first_seed + i));
      series.y.push_back(static_cast<double>(curve.of(result.each[i])));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

std::vector<Plot> Plots(const FaultSeedsOptions& options, const FaultSeedsResult& result) {
  constexpr Curve kAsked[] = {
      {"asked", [](const FaultSeed& seed) { return seed.clients.asked; }},
      {"asked again", [](const FaultSeed& seed) { return seed.clients.retries; }},
      {"acknowledged", [](const FaultSeed& seed) { return seed.clients.acknowledged; }},
      {"given up", [](const FaultSeed& seed) { return seed.clients.given_up; }}};
  constexpr Curve kCommitted[] = {
      {"commits", [](const FaultSeed& seed) { return seed.store.commits; }},
      {"merged from a stale view", [](const FaultSeed& seed) { return seed.store.merged; }},
      {"conflicts", [](const FaultSeed& seed) { return seed.store.conflicts; }},
      {"faults", [](const FaultSeed& seed) { return seed.faults; }}};
  return {BySeed("Requests by seed", "requests", kAsked, options, result),
          BySeed("Commits and faults by seed", "times", kCommitted, options, result)};
}

}  // namespace

std::vector<Table> FaultTables(const FaultSeedsResult& result) {
  return {FaultTable(result), WorkTable(result)};
}

std::string FaultsVerdict(const FaultSeedsOptions& options, const FaultSeedsResult& result) {
  const bool planted = options.planted != faults::PlantedBug::kNone;
  if (!result.broken_seed) {
    return planted ? fmt::format("{}: the planted bug {} was not found",
                                 Seeds(options, result.seeds), ToString(options.planted))
                   : fmt::format("{}: every invariant held after every step",
                                 Seeds(options, result.seeds));
  }
  return planted ? fmt::format("The planted bug {} was found in seed {}: {}",
                               ToString(options.planted), *result.broken_seed, *result.sum.broken)
                 : fmt::format("seed {}: {}", *result.broken_seed, *result.sum.broken);
}

Report FaultsReport(const FaultSeedsOptions& options, const FaultSeedsResult& result,
                    std::string command) {
  Report report{.title = "Faults",
                .subtitle = Seeds(options, result.seeds),
                .command = std::move(command),
                .seed = options.first_seed,
                .paragraphs = {FaultsVerdict(options, result)},
                .facts = {{"Unseed", fmt::format("{:016x}", result.sum.unseed),
                           "of all that was committed and told"}},
                .tables = FaultTables(result),
                .plots = Plots(options, result)};
  if (result.broken_seed) {
    Table story{.title = "The last steps", .columns = {{.name = "step"}}};
    for (const std::string& line : result.sum.story) story.rows.push_back({line});
    report.tables.push_back(std::move(story));
  }
  return report;
}

}  // namespace berth
