#include "traces/generate_zone.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/text.h"
#include "traces/vm_catalogue.h"

namespace berth {
namespace {

constexpr std::uint32_t kClusterMachinesMin = 20;
constexpr std::uint32_t kClusterMachinesMax = 1000;
constexpr std::uint32_t kClustersInSmallZones = 12;
constexpr std::uint32_t kRacksPerRow = 10;
constexpr std::uint32_t kClustersPerDatacenter = 7;
constexpr std::uint32_t kDatacentersMax = 8;
constexpr std::uint32_t kMachinesPerTenant = 20;
constexpr std::uint32_t kTenantsMin = 10;
constexpr std::uint32_t kTenantsMax = 1000;

std::uint32_t DivideUp(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

// Splits the machines over the generations in the paper's proportion; what rounding leaves goes to
// the largest remainders.
std::vector<std::uint32_t> SplitOverGenerations(std::uint32_t machines) {
  const std::span<const Generation> generations = Generations();
  std::uint64_t whole = 0;
  for (const Generation& generation : generations) whole += generation.machines_in_paper;
  std::vector<std::uint32_t> counts;
  std::vector<std::uint64_t> remainders;
  for (const Generation& generation : generations) {
    const std::uint64_t product = std::uint64_t{machines} * generation.machines_in_paper;
    counts.push_back(static_cast<std::uint32_t>(product / whole));
    remainders.push_back(product % whole);
  }
  std::vector<std::size_t> order(generations.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return remainders[i]; });
  std::uint32_t left = machines - std::accumulate(counts.begin(), counts.end(), 0U);
  for (std::size_t i = 0; left > 0; ++i, --left) ++counts[order[i]];
  return counts;
}

struct ClusterPlan {
  const Generation* generation = nullptr;
  std::uint32_t machines = 0;
};

std::vector<ClusterPlan> PlanClusters(std::uint32_t machines) {
  const std::uint32_t size =
      std::clamp(machines / kClustersInSmallZones, kClusterMachinesMin, kClusterMachinesMax);
  const std::vector<std::uint32_t> counts = SplitOverGenerations(machines);
  std::vector<ClusterPlan> plans;
  for (std::size_t g = 0; g < counts.size(); ++g) {
    const std::uint32_t clusters = std::max(1U, (counts[g] + size / 2) / size);
    for (std::uint32_t i = 0; i < clusters; ++i) {
      const std::uint32_t here = counts[g] / clusters + (i < counts[g] % clusters ? 1 : 0);
      if (here > 0) plans.push_back({.generation = &Generations()[g], .machines = here});
    }
  }
  return plans;
}

void AddMachines(FleetFile& zone, std::uint32_t machines) {
  const std::vector<ClusterPlan> plans = PlanClusters(machines);
  const auto clusters = static_cast<std::uint32_t>(plans.size());
  const std::uint32_t datacenters =
      std::min(kDatacentersMax, DivideUp(clusters, kClustersPerDatacenter));
  for (std::uint32_t i = 0; i < clusters; ++i) {
    const ClusterPlan& plan = plans[i];
    const std::uint32_t racks = DivideUp(plan.machines, kMachinesPerRack);
    const ClusterLayout layout{
        .name = ClusterId(fmt::format("c{:03}", i + 1)),
        // In turn, so that every datacenter has several generations.
        .datacenter = DatacenterId(fmt::format("dc{}", i % datacenters + 1)),
        .machines = plan.machines,
        .racks = racks,
        .rows = DivideUp(racks, kRacksPerRow),
        .labels = {},
    };
    const auto sku = std::ranges::find(zone.skus, SkuOf(*plan.generation), &Sku::name);
    const std::vector<Machine> laid_out = LayOut(layout, *sku);
    zone.machines.insert(zone.machines.end(), laid_out.begin(), laid_out.end());
  }
}

}  // namespace

Result<FleetFile> GenerateZone(const ZoneOptions& options) {
  if (options.machines == 0 || options.machines > kMachinesMax) {
    return Status(Code::kInvalidArgument,
                  fmt::format("a zone of {} machines; ask for 1 to {}", options.machines,
                              FormatCount(static_cast<std::int64_t>(kMachinesMax))));
  }
  if (!IsValidName(options.name)) {
    return Status(Code::kInvalidArgument,
                  fmt::format("zone {} is not a name; write 1 to 128 letters, digits, '.', '_' "
                              "and '-'",
                              Quoted(options.name)));
  }
  FleetFile zone;
  zone.zone = options.name;
  for (const Generation& generation : Generations()) {
    zone.skus.push_back(
        {.name = SkuOf(generation),
         .capacity = CapacityOf(generation),
         .labels = {{LabelName("generation"), LabelName(fmt::format("{}", generation.number))}}});
  }
  for (const CatalogueEntry& entry : VmCatalogue()) zone.types.push_back(TypeOf(entry));
  const std::uint32_t tenants =
      std::clamp(options.machines / kMachinesPerTenant, kTenantsMin, kTenantsMax);
  for (std::uint32_t i = 1; i <= tenants; ++i) {
    zone.tenants.push_back({.name = TenantId(fmt::format("tenant-{:04}", i)), .quota = {}});
  }
  AddMachines(zone, options.machines);
  return zone;
}

}  // namespace berth
