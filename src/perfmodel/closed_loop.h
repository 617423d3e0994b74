// Whether limits that models advise keep what they promise: tried on simulated applications, as
// section 7.2.6 of the thesis on predictive autoscaling tried them on a cluster.
#pragma once

#include <cstdint>
#include <vector>

#include "perfmodel/colocated_apps.h"
#include "perfmodel/slo_limits.h"

namespace berth {

struct ClosedLoopSettings {
  std::vector<double> loads{};
  std::vector<double> first_limits{};  // Before anything is known.
  std::vector<ServiceObjectives> slo{};
  double capacity_cpu_milli = 3'000;
  std::size_t runs = 16;
  SloMethod method = SloMethod::kHybrid;
};

struct SliRuns {
  double mean = 0;
  double deviation = 0;
  std::size_t violations = 0;  // Runs that missed the objective.
};

struct ClosedLoopResult {
  std::vector<DeliveredSlis> before{};  // Medians at the first limits.
  SloLimits advised{};
  std::vector<SliRuns> runs{};  // Under the advised limits, by application and Sli.
};

Result<ClosedLoopResult> TryLimits(const ColocatedApps& apps, const PerformanceModelSet& models,
                                   const ClosedLoopSettings& settings, std::uint64_t seed,
                                   std::size_t workers);

}  // namespace berth
