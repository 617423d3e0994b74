#include "sim/tenants/generate_population.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/parallel.h"
#include "berth/rng.h"

namespace berth {
namespace {

// So many traces at a time are held in full.
constexpr std::size_t kChunk = 1'000;

std::vector<DemandModel> GenerateModels(const PopulationRegion& region, std::size_t count,
                                        const Rng& rng, std::size_t workers) {
  std::vector<DemandModel> models(count);
  ForEachInParallel(count, workers, [&](std::size_t i) {
    Rng own = rng.Fork(i);
    models[i] = FitModel(GenerateTenant(region, own));
  });
  return models;
}

TenantPool GeneratePool(const PopulationRegion& region, const PopulationSize& size, const Rng& rng,
                        std::size_t workers) {
  TenantPool pool(size.oldest);
  for (std::size_t begin = 0; begin < size.tenants; begin += kChunk) {
    std::vector<DemandTrace> traces(std::min(kChunk, size.tenants - begin));
    ForEachInParallel(traces.size(), workers, [&](std::size_t i) {
      Rng own = rng.Fork(begin + i);
      traces[i] = GenerateTenant(region, own);
    });
    for (const DemandTrace& trace : traces) {
      const auto kind = static_cast<std::size_t>(trace.tenant_class);
      pool.Add(trace, PopulationClasses()[kind].limit[DemandResource::kCpu]);
    }
  }
  pool.LookAhead();
  return pool;
}

}  // namespace

TenantPopulation GeneratePopulation(const PopulationRegion& region, const PopulationSize& size,
                                    std::uint64_t seed, std::size_t workers) {
  const Rng rng = Rng(seed).Fork(region.name);
  std::vector<TenantKind> kinds;
  for (const PopulationClass& known : PopulationClasses()) {
    kinds.push_back({std::string(known.name), known.limit, known.replicas});
  }
  std::vector<std::string> names;
  names.reserve(kinds.size());
  for (const TenantKind& kind : kinds) names.push_back(kind.name);
  std::vector<DemandModel> models =
      GenerateModels(region, size.library, rng.Fork("library"), workers);
  return {.name = std::string(region.name),
          .kinds = std::move(kinds),
          .pool = GeneratePool(region, size, rng.Fork("pool"), workers),
          .library = TraceLibrary::Build(std::move(models), std::move(names)).value()};
}

}  // namespace berth
