// Real usage as tenants. Published data has usage but hardly ever the beginning and the end of
// whoever used: series begin in the middle of a life. So a tenant is a stretch of a series, from a
// random place, and its lifetime is drawn as in the generated regions; a stretch that runs over the
// end goes on at the beginning. There is no growth at the beginning of such a life.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "berth/status.h"
#include "sim/tenants/generate_population.h"

namespace berth {

struct UsageSeries {
  std::string kind;             // Whoever is of one kind is of one class.
  Demand limit;                 // What it is promised.
  std::vector<Demand> samples;  // One a step of ten minutes.
};
inline constexpr std::size_t kUsageSeriesMax = 100'000;
inline constexpr std::size_t kUsageSamplesMax = 50'000'000;  // Of all series.

// Every other series, after shuffling, is of the past: no tenant's series is in the library. At
// least two series.
Result<TenantPopulation> PopulationOf(std::string name, std::vector<UsageSeries> series,
                                      const PopulationSize& size, std::uint64_t seed,
                                      std::size_t workers);

}  // namespace berth
