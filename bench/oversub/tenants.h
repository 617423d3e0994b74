// Generated tenants at some time of their lives, for the benchmarks of bench_oversub.
#pragma once

#include <ctime>
#include <utility>
#include <vector>

#include "berth/rng.h"
#include "oversub/hosted_tenant.h"
#include "oversub/population.h"
#include "oversub/trace_library.h"

namespace berth {

inline constexpr Step kBenchStart = 2'000'000;

inline TraceLibrary GeneratedLibrary(const PopulationRegion& region, std::size_t size, Rng& rng) {
  std::vector<DemandModel> models;
  while (models.size() < size) models.push_back(FitModel(GenerateTenant(region, rng)));
  return TraceLibrary::Build(std::move(models)).value();
}

struct Met {
  HostedTenant tenant;
  Demand usage;  // Now.
};

// As one finds it on a machine: the longer a tenant lives, the likelier it is met.
inline Met TenantAtWork(const PopulationRegion& region, Step now, Rng& rng) {
  constexpr double kLongest = 26'280;
  for (;;) {
    const DemandTrace trace = GenerateTenant(region, rng);
    if (rng.Unit() * kLongest > trace.lifetime()) continue;
    const auto age = static_cast<Step>(rng.Below(static_cast<std::uint64_t>(trace.lifetime())));
    HostedTenant tenant{.key = rng.Next(),
                        .tenant_class = trace.tenant_class,
                        .role = trace.role,
                        .creation = now - age,
                        .observed_peak = {}};
    for (Step i = 1; i <= age; ++i)
      tenant.observed_peak = Greater(tenant.observed_peak, trace.At(i));
    return {tenant, trace.At(age)};
  }
}
inline HostedTenant TenantMet(const PopulationRegion& region, Step now, Rng& rng) {
  return TenantAtWork(region, now, rng).tenant;
}

inline HostedTenant NewTenant(const PopulationRegion& region, Step now, Rng& rng) {
  const DemandTrace trace = GenerateTenant(region, rng);
  return {.key = rng.Next(),
          .tenant_class = trace.tenant_class,
          .role = trace.role,
          .creation = now,
          .observed_peak = {}};
}

// Microseconds of processor time that the work takes: on a busy machine the time on the wall is as
// much its neighbours'.
double Timed_us(const auto& work) {
  const auto now_us = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
  };
  const double start_us = now_us();
  work();
  return now_us() - start_us;
}

}  // namespace berth
