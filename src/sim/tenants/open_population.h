// A population by its name on the command line: a generated region, or FORMAT:FILE with real usage.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "sim/tenants/generate_population.h"
#include "sim/tenants/usage_series.h"

namespace berth {

struct PopulationFormat {
  std::string_view name;
  std::string_view summary;
  Result<std::vector<UsageSeries>> (*read)(const std::string& path);
};
// In the order of populations.def.
std::span<const PopulationFormat> PopulationFormats();

Result<TenantPopulation> OpenPopulation(std::string_view name, const PopulationSize& size,
                                        std::uint64_t seed, std::size_t workers);

}  // namespace berth
