// Generated tenants of a database service, for rehearsals: full demand traces with the published
// statistics of section 3.1 of the tenant placement paper.
//
// Published, and held by construction: over 90% of tenants reach 95% of their greatest disk and
// memory within 2 to 5% of their lifetime, by region; after that under 1% fall below 90% of it in
// disk, and under 7% below 80% in memory; cpu is irregular; those that live long need more; regions
// differ in their classes. All other figures here (sizes, shares, medians) are ours: the paper
// gives none.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "berth/rng.h"
#include "oversub/demand_trace.h"

namespace berth {

// What its tenants are promised, and how they tend to use it.
struct PopulationClass {
  std::string_view name;
  Demand limit;
  std::uint32_t replicas = 1;  // One primary, the others secondaries.
  bool serverless = false;     // Pauses, and gives memory back more readily.
  double disk_share = 0;       // Of the limit, in the median.
  double memory_share = 0;
  double cpu_share = 0;
};
// A class's TenantClass is its place here.
std::span<const PopulationClass> PopulationClasses();

struct PopulationRegion {
  std::string_view name;
  std::span<const double> class_weights;  // One for each class.
  double growth_share = 0;                // Of the lifetime, until most have grown.
  double lifetime_steps_median = 0;
  double size = 1;  // Of its tenants, against other regions'.
};
std::span<const PopulationRegion> PopulationRegions();

// One more tenant's replica.
DemandTrace GenerateTenant(const PopulationRegion& region, Rng& rng);

}  // namespace berth
