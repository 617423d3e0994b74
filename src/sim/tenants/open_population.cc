#include "sim/tenants/open_population.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "sim/tenants/populations/builtin.h"

namespace berth {
namespace {

constexpr PopulationFormat kFormats[] = {
#define BERTH_POPULATION(file, reader, summary) {#file, summary, &reader},
#include "sim/tenants/populations/populations.def"
#undef BERTH_POPULATION
};

std::string KnownPopulations() {
  std::string names;
  for (const PopulationRegion& region : PopulationRegions()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", region.name);
  }
  for (const PopulationFormat& format : kFormats) names += fmt::format(", {}:FILE", format.name);
  return names;
}

}  // namespace

std::span<const PopulationFormat> PopulationFormats() { return kFormats; }

Result<TenantPopulation> OpenPopulation(std::string_view name, const PopulationSize& size,
                                        std::uint64_t seed, std::size_t workers) {
  for (const PopulationRegion& region : PopulationRegions()) {
    if (region.name == name) return GeneratePopulation(region, size, seed, workers);
  }
  const std::size_t colon = name.find(':');
  for (const PopulationFormat& format : kFormats) {
    if (colon == std::string_view::npos || format.name != name.substr(0, colon)) continue;
    BERTH_TRY(std::vector<UsageSeries> series, format.read(std::string(name.substr(colon + 1))));
    return PopulationOf(std::string(format.name), std::move(series), size, seed, workers);
  }
  return Status(Code::kInvalidArgument,
                fmt::format("population {}: there is none of that name; there are {}", Quoted(name),
                            KnownPopulations()));
}

}  // namespace berth
