// A population from one of the generated regions (oversub/population.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "oversub/population.h"
#include "sim/tenants/tenant_population.h"

namespace berth {

struct PopulationSize {
  std::size_t tenants = 10'000;  // To draw from.
  std::size_t library = 20'000;  // Others, who were there before.
  Step oldest = 0;               // How old a tenant may be when it is last looked at.
};

// Each tenant depends on the seed and its number alone, so the workers do not show.
TenantPopulation GeneratePopulation(const PopulationRegion& region, const PopulationSize& size,
                                    std::uint64_t seed, std::size_t workers);

}  // namespace berth
