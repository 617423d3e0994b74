#include "sim/tenants/study.h"

#include <algorithm>
#include <mutex>

#include "base/parallel.h"
#include "berth/check.h"
#include "berth/rng.h"

namespace berth {

std::uint64_t RunsOf(const TenantStudyOptions& options) {
  return std::uint64_t{options.specs.size()} * options.densities_hundredths.size() *
         options.techniques.size() * options.repetitions;
}

std::vector<TenantCell> StudyTenants(const TenantPopulation& population,
                                     const TenantStudyOptions& options,
                                     const std::function<void(std::uint64_t)>& done) {
  std::vector<TenantCell> cells;
  for (const int spec : options.specs) {
    for (const std::uint32_t density : options.densities_hundredths) {
      cells.push_back({.population = population.name,
                       .spec = spec,
                       .density_hundredths = density,
                       .outcomes = std::vector(options.techniques.size(),
                                               std::vector<TenantOutcome>(options.repetitions))});
    }
  }
  const std::size_t per_cell = options.techniques.size() * options.repetitions;
  std::mutex telling;
  std::uint64_t over = 0;
  ForEachInParallel(cells.size() * per_cell, options.workers, [&](std::size_t run) {
    TenantCell& cell = cells[run / per_cell];
    const std::size_t technique = run % per_cell / options.repetitions;
    const std::size_t repetition = run % options.repetitions;
    cell.outcomes[technique][repetition] =
        SimulateTenants(population, options.techniques[technique],
                        {.spec = cell.spec == 1 ? NodeSpec1() : NodeSpec2(),
                         .nodes = options.nodes,
                         .domains = options.domains,
                         .density_hundredths = cell.density_hundredths,
                         .hours = options.hours,
                         .seed = Rng(options.seed).Fork(repetition).Next()});
    const std::lock_guard lock(telling);
    done(++over);
  });
  return cells;
}

double MeanOf(const std::vector<TenantOutcome>& outcomes, std::uint64_t TenantOutcome::*figure) {
  double sum = 0;
  for (const TenantOutcome& outcome : outcomes) sum += static_cast<double>(outcome.*figure);
  return sum / static_cast<double>(outcomes.size());
}

BestTechnique BestWithoutEstimate(const TenantCell& cell,
                                  const std::vector<TechniqueName>& techniques, bool oracle) {
  BestTechnique best;
  for (std::size_t i = 0; i < techniques.size(); ++i) {
    if (techniques[i].estimates() || techniques[i].oracle != oracle) continue;
    const double violations = MeanOf(cell.outcomes[i], &TenantOutcome::violations);
    if (best.technique == nullptr || violations < best.violations) {
      best = {&techniques[i], violations};
    }
  }
  return best;
}

RatioSummary SummariseRatios(const std::vector<TenantCell>& cells,
                             const std::vector<TechniqueName>& techniques,
                             std::size_t with_estimate, bool oracle) {
  RatioSummary summary;
  double sum = 0;
  for (const TenantCell& cell : cells) {
    const BestTechnique best = BestWithoutEstimate(cell, techniques, oracle);
    BERTH_CHECK(best.technique != nullptr);
    const double other = best.violations;
    const double own = MeanOf(cell.outcomes[with_estimate], &TenantOutcome::violations);
    ++(own < other ? summary.better : own > other ? summary.worse : summary.equal);
    if (own == 0 && other == 0) {
      ++summary.quiet;
      continue;
    }
    sum += std::max(other, 1.0) / std::max(own, 1.0);
  }
  const auto counted = static_cast<double>(cells.size() - summary.quiet);
  summary.mean_of_ratios = counted > 0 ? sum / counted : 1;
  return summary;
}

}  // namespace berth
