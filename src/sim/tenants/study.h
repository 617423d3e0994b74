// Techniques compared: every one on the same sequences of tenants, at several densities and specs,
// with repetitions, as in figures 8 and 9 of the tenant placement paper.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/tenants/simulate.h"

namespace berth {

struct TenantStudyOptions {
  std::vector<int> specs = {1};  // 1 and 2: see NodeSpec1.
  std::vector<std::uint32_t> densities_hundredths = {200};
  std::vector<TechniqueName> techniques;
  std::uint32_t repetitions = 20;
  std::uint32_t nodes = 40;
  NodeDomains domains = {};
  std::uint32_t hours = 300;
  std::uint64_t seed = 1;
  std::size_t workers = 1;
};

// One experiment: a population at a density on a kind of node.
struct TenantCell {
  std::string population;
  int spec = 1;
  std::uint32_t density_hundredths = 0;
  std::vector<std::vector<TenantOutcome>> outcomes;  // By technique, then repetition.
};

// Spec by spec, density by density. `done` is told how many runs are over; any worker may call it,
// one at a time. The answer is the same whatever the workers.
std::vector<TenantCell> StudyTenants(const TenantPopulation& population,
                                     const TenantStudyOptions& options,
                                     const std::function<void(std::uint64_t)>& done);
std::uint64_t RunsOf(const TenantStudyOptions& options);

// Over the repetitions.
double MeanOf(const std::vector<TenantOutcome>& outcomes, std::uint64_t TenantOutcome::*figure);

// The technique without the estimate that has the fewest violations in the cell, with or without
// the oracle. None if there is no such technique.
struct BestTechnique {
  const TechniqueName* technique = nullptr;
  double violations = 0;
};
BestTechnique BestWithoutEstimate(const TenantCell& cell,
                                  const std::vector<TechniqueName>& techniques, bool oracle);

// Violations of the best technique without the estimate over those of one with it.
struct RatioSummary {
  double mean_of_ratios = 0;  // Over the cells that are not quiet.
  std::uint32_t better = 0;   // Cells in which the one with the estimate has fewer,
  std::uint32_t equal = 0;    // as many,
  std::uint32_t worse = 0;    // more.
  std::uint32_t quiet = 0;    // In which neither has any, of those equal.
};
// A mean below one violation counts as one: otherwise cells with next to none would decide the
// mean, the more so the more repetitions there are.
RatioSummary SummariseRatios(const std::vector<TenantCell>& cells,
                             const std::vector<TechniqueName>& techniques,
                             std::size_t with_estimate, bool oracle);

}  // namespace berth
