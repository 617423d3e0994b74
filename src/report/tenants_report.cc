#include "report/tenants_report.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace berth {
namespace {

using Figure = std::uint64_t TenantOutcome::*;

double Density(const TenantCell& cell) { return cell.density_hundredths / 100.0; }

double DeviationOf(const std::vector<TenantOutcome>& outcomes) {
  const double mean = MeanOf(outcomes, &TenantOutcome::violations);
  double squares = 0;
  for (const TenantOutcome& outcome : outcomes) {
    const double apart = static_cast<double>(outcome.violations) - mean;
    squares += apart * apart;
  }
  return std::sqrt(squares / static_cast<double>(outcomes.size()));
}

double TenantsOf(const std::vector<TenantOutcome>& outcomes) {
  double sum = 0;
  for (const TenantOutcome& outcome : outcomes) sum += outcome.tenants_mean;
  return sum / static_cast<double>(outcomes.size());
}

double ViolationsOf(const std::vector<TenantOutcome>& outcomes, DemandResource resource) {
  double sum = 0;
  for (const TenantOutcome& outcome : outcomes) {
    sum += static_cast<double>(outcome.violations_of[resource]);
  }
  return sum / static_cast<double>(outcomes.size());
}

Table TechniqueTable(const std::vector<TenantCell>& cells, const TenantStudyOptions& options) {
  Table table{.title = "Violations by technique",
              .note =
                  "Means over the repetitions. A violation is counted once a step for a node from "
                  "which tenants were moved because a resource was short; unresolved is a node "
                  "whose tenants fit nowhere else, once a step.",
              .columns = {{.name = "population"},
                          {.name = "spec"},
                          {.name = "density"},
                          {.name = "technique"},
                          {.name = "violations"},
                          {.name = "deviation"},
                          {.name = "of cpu"},
                          {.name = "memory"},
                          {.name = "disk"},
                          {.name = "unresolved"},
                          {.name = "failovers"},
                          {.name = "moved", .unit = "GiB"},
                          {.name = "refused"},
                          {.name = "tenants", .unit = "per node"}}};
  if (options.domains.any()) {
    table.note +=
        " Failovers and tenants per node are of replicas; a tenant is refused as a whole.";
  }
  for (const TenantCell& cell : cells) {
    for (std::size_t i = 0; i < options.techniques.size(); ++i) {
      const std::vector<TenantOutcome>& outcomes = cell.outcomes[i];
      const auto mean = [&](Figure figure) { return MeanOf(outcomes, figure); };
      using enum DemandResource;
      table.rows.push_back({cell.population, static_cast<double>(cell.spec), Density(cell),
                            options.techniques[i].ToText(), mean(&TenantOutcome::violations),
                            DeviationOf(outcomes), ViolationsOf(outcomes, kCpu),
                            ViolationsOf(outcomes, kMemory), ViolationsOf(outcomes, kDisk),
                            mean(&TenantOutcome::unresolved), mean(&TenantOutcome::failovers),
                            mean(&TenantOutcome::moved_mib) / 1024, mean(&TenantOutcome::refused),
                            TenantsOf(outcomes)});
    }
  }
  return table;
}

std::vector<std::size_t> WithEstimate(const TenantStudyOptions& options) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < options.techniques.size(); ++i) {
    if (options.techniques[i].estimates()) places.push_back(i);
  }
  return places;
}

bool HasBaselines(const TenantStudyOptions& options, bool oracle) {
  for (const TechniqueName& name : options.techniques) {
    if (!name.estimates() && name.oracle == oracle) return true;
  }
  return false;
}

// One row a cell: the best of the others, and each technique with the estimate.
Table BestTable(const std::vector<TenantCell>& cells, const TenantStudyOptions& options) {
  Table table{.title = "The best without the estimate, and those with it",
              .note = "Violations, means over the repetitions.",
              .columns = {{.name = "population"}, {.name = "spec"}, {.name = "density"}}};
  for (const bool oracle : {false, true}) {
    if (!HasBaselines(options, oracle)) continue;
    table.columns.push_back({.name = oracle ? "best with oracle" : "best"});
    table.columns.push_back({.name = "violations"});
  }
  for (const std::size_t i : WithEstimate(options)) {
    table.columns.push_back({.name = options.techniques[i].ToText()});
  }
  for (const TenantCell& cell : cells) {
    std::vector<TableCell> row = {cell.population, static_cast<double>(cell.spec), Density(cell)};
    for (const bool oracle : {false, true}) {
      if (!HasBaselines(options, oracle)) continue;
      const BestTechnique best = BestWithoutEstimate(cell, options.techniques, oracle);
      row.emplace_back(best.technique->ToText());
      row.emplace_back(best.violations);
    }
    for (const std::size_t i : WithEstimate(options)) {
      row.emplace_back(MeanOf(cell.outcomes[i], &TenantOutcome::violations));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table RatioTable(const std::vector<TenantCell>& cells, const TenantStudyOptions& options) {
  Table table{.title = "Mean of ratios",
              .note =
                  "Violations of the best technique without the estimate over those of the one "
                  "with it, mean over cells in which either has any; a mean below one violation "
                  "counts as one.",
              .columns = {{.name = "technique"},
                          {.name = "against"},
                          {.name = "ratio"},
                          {.name = "better", .unit = "cells"},
                          {.name = "equal", .unit = "cells"},
                          {.name = "worse", .unit = "cells"},
                          {.name = "quiet", .unit = "of equal"}}};
  for (const std::size_t i : WithEstimate(options)) {
    for (const bool oracle : {false, true}) {
      if (!HasBaselines(options, oracle)) continue;
      const RatioSummary of = SummariseRatios(cells, options.techniques, i, oracle);
      table.rows.push_back({options.techniques[i].ToText(),
                            std::string(oracle ? "best with oracle" : "best"), of.mean_of_ratios,
                            static_cast<double>(of.better), static_cast<double>(of.equal),
                            static_cast<double>(of.worse), static_cast<double>(of.quiet)});
    }
  }
  return table;
}

// Violations so far, mean over the repetitions.
Plot OverTime(const TenantCell& cell, const TenantStudyOptions& options) {
  Plot plot{.title = fmt::format("Violations so far: {}, spec {}, density {:.2f}", cell.population,
                                 cell.spec, Density(cell)),
            .y_label = "violations"};
  for (std::size_t i = 0; i < options.techniques.size(); ++i) {
    PlotSeries series{.name = options.techniques[i].ToText(), .kind = PlotSeriesKind::kStep};
    double so_far = 0;
    for (std::uint32_t hour = 0; hour < options.hours; ++hour) {
      for (const TenantOutcome& outcome : cell.outcomes[i]) {
        so_far += outcome.violations_by_hour[hour];
      }
      series.x.push_back((hour + 1) * 3600.0);
      series.y.push_back(so_far / options.repetitions);
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

// One plot a population and spec, of the cells that follow each other.
std::vector<Plot> ByDensity(const std::vector<TenantCell>& cells,
                            const TenantStudyOptions& options) {
  std::vector<Plot> plots;
  std::string title;
  for (const TenantCell& cell : cells) {
    std::string own = fmt::format("Violations: {}, spec {}", cell.population, cell.spec);
    if (own != title) {
      plots.push_back({.title = own,
                       .x_label = "density",
                       .x_kind = PlotXKind::kNumber,
                       .y_label = "violations"});
      for (const TechniqueName& name : options.techniques) {
        plots.back().series.push_back({.name = name.ToText()});
      }
      title = std::move(own);
    }
    for (std::size_t i = 0; i < options.techniques.size(); ++i) {
      plots.back().series[i].x.push_back(Density(cell));
      plots.back().series[i].y.push_back(MeanOf(cell.outcomes[i], &TenantOutcome::violations));
    }
  }
  return plots;
}

std::string ClusterOf(const TenantStudyOptions& options) {
  std::string cluster = fmt::format("{} nodes", options.nodes);
  if (options.domains.any()) {
    cluster += fmt::format(" in {} fault and {} update domains", options.domains.fault,
                           options.domains.update);
  }
  return cluster;
}

std::vector<Fact> Headlines(const std::vector<TenantCell>& cells,
                            const TenantStudyOptions& options) {
  std::vector<Fact> facts;
  std::uint64_t unseed = 0;
  for (const TenantCell& cell : cells) {
    for (const auto& outcomes : cell.outcomes) {
      for (const TenantOutcome& outcome : outcomes) unseed = unseed * 31 + outcome.unseed;
    }
  }
  facts.push_back(
      {.name = "Runs",
       .value = fmt::format("{}", cells.size() * options.techniques.size() * options.repetitions),
       .note = fmt::format("{} cells, {} techniques, {} repetitions of {} h on {}", cells.size(),
                           options.techniques.size(), options.repetitions, options.hours,
                           ClusterOf(options))});
  if (HasBaselines(options, false)) {
    for (const std::size_t i : WithEstimate(options)) {
      const RatioSummary of = SummariseRatios(cells, options.techniques, i, false);
      facts.push_back({.name = fmt::format("Best other over {}", options.techniques[i].ToText()),
                       .value = fmt::format("{:.2f}", of.mean_of_ratios),
                       .note = fmt::format("mean of ratios; better in {}, equal in {}, worse in {}",
                                           of.better, of.equal, of.worse)});
    }
  }
  facts.push_back({.name = "Unseed",
                   .value = fmt::format("{:016x}", unseed),
                   .note = "same inputs and seed, same number"});
  return facts;
}

}  // namespace

Report TenantsReport(const std::vector<TenantCell>& cells, const TenantStudyOptions& options,
                     std::string command) {
  Report report{.title = "Tenants of an over-subscribed cluster",
                .command = std::move(command),
                .seed = options.seed};
  report.facts = Headlines(cells, options);
  report.tables.push_back(TechniqueTable(cells, options));
  if (!WithEstimate(options).empty() &&
      (HasBaselines(options, false) || HasBaselines(options, true))) {
    report.tables.push_back(BestTable(cells, options));
    report.tables.push_back(RatioTable(cells, options));
  }
  report.plots =
      cells.size() == 1 ? std::vector{OverTime(cells.front(), options)} : ByDensity(cells, options);
  return report;
}

}  // namespace berth
