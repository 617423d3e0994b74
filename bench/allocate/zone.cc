#include "bench/allocate/zone.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace berth {
namespace {

struct Generation {
  const char* sku;
  std::int64_t cores;
  std::int64_t gib;
  std::uint32_t share;  // Of a hundred clusters, as in Protean's table 1.
};
constexpr std::array<Generation, 4> kGenerations = {
    {{"gen3", 10, 80, 12}, {"gen4", 24, 192, 56}, {"gen5", 40, 320, 29}, {"gen6", 48, 384, 3}}};

constexpr std::uint32_t kMachinesInARack = 20;
constexpr std::uint32_t kRacksPerRow = 10;
constexpr std::uint32_t kTenants = 50;

// Cores of the types: small ones most, as in Protean's table 3.
constexpr std::array<std::int64_t, 10> kCores = {2, 1, 4, 2, 1, 4, 8, 2, 4, 16};

Resources Sized(std::int64_t cores, std::int64_t mib) {
  Resources size;
  size[Resource::kCpu] = cores * 1000;
  size[Resource::kMemory] = mib << 20;
  return size;
}

}  // namespace

BenchZone::BenchZone(const ZoneShape& shape) {
  for (std::uint32_t i = 0; i < kTenants; ++i) {
    records_.emplace_back(
        Tenant{.name = TenantId(fmt::format("tenant-{}", i)), .quota = std::nullopt});
  }
  AddTypes(shape.types);
  AddMachines(shape);
}

void BenchZone::AddTypes(std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int64_t cores = kCores[i % kCores.size()];
    // Between 2 and 9 GiB a core, no two types alike.
    const std::int64_t mib = cores * (2048 + 30 * static_cast<std::int64_t>(i));
    records_.emplace_back(InstanceType{.name = TypeId(fmt::format("type-{:03}", i)),
                                       .size = Sized(cores, mib),
                                       .skus = {},
                                       .requires_labels = {}});
  }
}

void BenchZone::AddMachines(const ZoneShape& shape) {
  std::uint32_t share = 0;
  std::size_t generation = 0;
  for (std::uint32_t c = 0; c < shape.clusters; ++c) {
    while ((c + 1) * 100 > (share + kGenerations[generation].share) * shape.clusters &&
           generation + 1 < kGenerations.size()) {
      share += kGenerations[generation++].share;
    }
    const Generation& of = kGenerations[generation];
    for (std::uint32_t m = 0; m < shape.machines_per_cluster; ++m) {
      Machine machine;
      machine.name = MachineId(fmt::format("c{:03}-{:04}", c, m));
      machine.datacenter = DatacenterId(fmt::format("dc{}", c % 4));
      machine.cluster = ClusterId(fmt::format("c{:03}", c));
      machine.row = RowId(fmt::format("r{}", m / kMachinesInARack / kRacksPerRow));
      machine.rack = RackId(fmt::format("k{:02}", m / kMachinesInARack));
      machine.update_domain = DomainId(fmt::format("u{}", m % 10));
      machine.sku = SkuId(of.sku);
      machine.capacity = Sized(of.cores, of.gib * 1024);
      millicores_ += machine.capacity[Resource::kCpu];
      records_.emplace_back(std::move(machine));
    }
  }
}

BenchRequests::BenchRequests(const ZoneShape& shape, std::uint32_t instances,
                             Constraints constraints, Rng rng)
    : types_(shape.types), instances_(instances), constraints_(std::move(constraints)), rng_(rng) {
  for (std::uint32_t i = 0; i < types_; ++i) weights_.push_back(1.0 / (i + 1));  // Zipf.
}

Service BenchRequests::Next() {
  if (rng_.Below(5) == 0) type_ = rng_.Weighted(weights_);
  Service service;
  service.name = fmt::format("s{}", number_++);
  service.tenant = TenantId(fmt::format("tenant-{}", rng_.Below(kTenants)));
  service.klass = ClassId("gold");
  service.constraints = constraints_;
  service.groups = {
      {.type = TypeId(fmt::format("type-{:03}", type_)), .role = RoleId(), .count = instances_}};
  return service;
}

}  // namespace berth
