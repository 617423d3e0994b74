// Small populations for the tests of the tenant rehearsal.
#pragma once

#include <utility>
#include <vector>

#include "sim/tenants/tenant_population.h"

namespace berth::testing {

// One class of tenants that all follow the same samples; those of the past followed others.
inline TenantPopulation FollowingPopulation(const std::vector<Demand>& samples,
                                            const std::vector<Demand>& past,
                                            std::uint32_t promised_millicores) {
  const DemandTrace trace{.tenant_class = TenantClass{0}, .role = {}, .samples = samples};
  TenantPool pool(static_cast<Step>(samples.size()) + kStepsPerDay);
  pool.Add(trace, promised_millicores);
  pool.LookAhead();
  return {.name = "testing",
          .kinds = {{"only", trace.Peak()}},
          .pool = std::move(pool),
          .library = TraceLibrary::Build(
                         {FitModel({.tenant_class = TenantClass{0}, .role = {}, .samples = past})})
                         .value()};
}

inline TenantPopulation SteadyPopulation(const Demand& demand) {
  const std::vector<Demand> samples(10'000, demand);
  return FollowingPopulation(samples, samples, 100);
}

}  // namespace berth::testing
