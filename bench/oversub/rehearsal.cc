// Violations of the best technique without the estimate over those of PrV-WorstFit, on the
// generated populations.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/parallel.h"
#include "bench/bar.h"
#include "bench/oversub/suites.h"
#include "sim/tenants/open_population.h"
#include "sim/tenants/study.h"

namespace berth {
namespace {

std::vector<TenantCell> CellsOf(const PopulationRegion& region, bool full,
                                TenantStudyOptions options) {
  const PopulationSize size{.tenants = full ? 10'000U : 4'000U,
                            .library = full ? 20'000U : 4'000U,
                            .oldest = static_cast<Step>(options.hours) * kStepsPerHour};
  const TenantPopulation population =
      GeneratePopulation(region, size, options.seed, options.workers);
  const auto nobody = [](std::uint64_t) {};
  std::vector<TenantCell> cells = StudyTenants(population, options, nobody);
  if (!full) return cells;
  options.specs = {2};
  options.densities_hundredths = {140, 150, 160, 170};
  std::ranges::move(StudyTenants(population, options, nobody), std::back_inserter(cells));
  return cells;
}

}  // namespace

void RunRehearsal(bool full) {
  TenantStudyOptions options;
  options.densities_hundredths = {250, 260};
  options.repetitions = full ? 20 : 1;
  options.workers = CoreCount();
  if (full) {
    options.densities_hundredths.clear();
    for (std::uint32_t density = 220; density <= 280; density += 5) {
      options.densities_hundredths.push_back(density);
    }
  }
  for (const TechniqueEntry& entry : BuiltinTechniques()) {
    if (entry.in_all && !entry.estimates) options.techniques.push_back({.technique = &entry});
  }
  const std::size_t ours = options.techniques.size();
  options.techniques.push_back(ParseTechniqueName("prv_worst_fit").value());

  std::vector<TenantCell> cells;
  for (const PopulationRegion& region : PopulationRegions()) {
    std::ranges::move(CellsOf(region, full, options), std::back_inserter(cells));
  }
  fmt::print("Violations in 300 h on 40 nodes, {} repetitions\n", options.repetitions);
  for (const TenantCell& cell : cells) {
    const BestTechnique best = BestWithoutEstimate(cell, options.techniques, false);
    fmt::print("  {} spec {} density {:.2f}: {:.2f} by {}, {:.2f} by prv_worst_fit\n",
               cell.population, cell.spec, cell.density_hundredths / 100.0, best.violations,
               best.technique->ToText(), MeanOf(cell.outcomes[ours], &TenantOutcome::violations));
  }
  const RatioSummary summary = SummariseRatios(cells, options.techniques, ours, false);
  fmt::print("  better in {} cells, equal in {} ({} without violations), worse in {}\n",
             summary.better, summary.equal, summary.quiet, summary.worse);
  PrintBar("oversub.violations_ratio", summary.mean_of_ratios, ">=", 2);
}

}  // namespace berth
