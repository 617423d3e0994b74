#include "traces/vm_catalogue.h"

#include <fmt/format.h>

#include <array>

namespace berth {
namespace {

constexpr std::int64_t kGib = std::int64_t{1} << 30;
constexpr std::int64_t kNetworkMbitPerCore = 500;
constexpr std::uint32_t kOldest = 3;

// Cores and machines are the paper's; memory, disk and network are plausible for such machines.
constexpr std::array kGenerations = {
    Generation{3, 10, 48, 1024, 10'000, 7295},
    Generation{4, 24, 128, 2048, 40'000, 34'208},
    Generation{5, 40, 256, 4096, 40'000, 18'016},
    Generation{6, 48, 256, 6144, 100'000, 2064},
};

// Grouped by cores; the groups' sums are table 3's rows, and 0.1 over in zone 2 as there.
constexpr std::array kCatalogue = {
    // 1 core: 17.1%, 27.0%
    CatalogueEntry{"B-1c-2g", 1, 2, 32, kOldest, 3.5, 3.6},
    CatalogueEntry{"C-1c-4g", 1, 4, 32, kOldest, 6.5, 12.9},
    CatalogueEntry{"D-1c-2g", 1, 2, 16, kOldest, 0.7, 8.4},
    CatalogueEntry{"X01-1c-1g", 1, 1, 16, kOldest, 1.6, 0.6},
    CatalogueEntry{"X02-1c-4g", 1, 4, 64, kOldest, 1.6, 0.5},
    CatalogueEntry{"X03-1c-8g", 1, 8, 32, 4, 1.6, 0.5},
    CatalogueEntry{"X04-1c-2g", 1, 2, 32, 5, 1.6, 0.5},
    // 2 cores: 37.4%, 52.4%
    CatalogueEntry{"E-2c-16g", 2, 16, 64, 4, 1.9, 3.7},
    CatalogueEntry{"F-2c-4g", 2, 4, 64, kOldest, 3.2, 4.4},
    CatalogueEntry{"G-2c-8g", 2, 8, 64, kOldest, 0.6, 3.1},
    CatalogueEntry{"I-2c-4g", 2, 4, 32, kOldest, 2.4, 7.4},
    CatalogueEntry{"J-2c-8g", 2, 8, 64, kOldest, 23.7, 31.6},
    CatalogueEntry{"X05-2c-4g", 2, 4, 128, kOldest, 1.4, 0.6},
    CatalogueEntry{"X06-2c-8g", 2, 8, 64, 5, 1.4, 0.6},
    CatalogueEntry{"X07-2c-16g", 2, 16, 64, 4, 1.4, 0.5},
    CatalogueEntry{"X08-2c-7g", 2, 7, 100, kOldest, 1.4, 0.5},
    // 4 cores: 32.0%, 10.5%
    CatalogueEntry{"A-4c-16g", 4, 16, 128, kOldest, 4.6, 0.1},
    CatalogueEntry{"H-4c-32g", 4, 32, 128, 4, 0.8, 2.2},
    CatalogueEntry{"K-4c-16g", 4, 16, 128, kOldest, 21.3, 2.1},
    CatalogueEntry{"X09-4c-8g", 4, 8, 64, kOldest, 1.4, 1.6},
    CatalogueEntry{"X10-4c-14g", 4, 14, 200, kOldest, 1.3, 1.5},
    CatalogueEntry{"X11-4c-16g", 4, 16, 128, 5, 1.3, 1.5},
    CatalogueEntry{"X12-4c-32g", 4, 32, 256, 4, 1.3, 1.5},
    // 8 cores: 8.9%, 4.5%
    CatalogueEntry{"L-8c-32g", 8, 32, 256, kOldest, 3.5, 0.4},
    CatalogueEntry{"X13-8c-16g", 8, 16, 128, kOldest, 1.8, 1.4},
    CatalogueEntry{"X14-8c-32g", 8, 32, 256, 5, 1.8, 1.4},
    CatalogueEntry{"X15-8c-64g", 8, 64, 512, 4, 1.8, 1.3},
    // 10 to 19 cores: 4.3%, 2.6%. A whole machine of generation 3, a half of generation 4.
    CatalogueEntry{"X16-10c-40g", 10, 40, 320, kOldest, 1.4, 0.9},
    CatalogueEntry{"X17-12c-48g", 12, 48, 384, 4, 1.5, 0.9},
    CatalogueEntry{"X18-16c-64g", 16, 64, 1024, 4, 1.4, 0.8},
    // 20 cores and more: 0.3%, 3.1%. A half of generation 5, then whole machines of 4, 5 and 6.
    CatalogueEntry{"M-20c-80g", 20, 80, 640, 5, 0.0, 2.2},
    CatalogueEntry{"X19-24c-96g", 24, 96, 768, 4, 0.18, 0.5},
    CatalogueEntry{"X20-40c-160g", 40, 160, 1280, 5, 0.1, 0.3},
    CatalogueEntry{"X21-48c-192g", 48, 192, 1536, 6, 0.02, 0.1},
};

}  // namespace

std::span<const CatalogueEntry> VmCatalogue() { return kCatalogue; }
std::span<const Generation> Generations() { return kGenerations; }

SkuId SkuOf(const Generation& generation) { return SkuId(fmt::format("gen{}", generation.number)); }

Resources CapacityOf(const Generation& generation) {
  Resources capacity;
  capacity[Resource::kCpu] = std::int64_t{generation.cores} * 1000;
  capacity[Resource::kMemory] = generation.memory_gib * kGib;
  capacity[Resource::kDisk] = generation.disk_gib * kGib;
  capacity[Resource::kNetwork] = generation.network_mbit;
  return capacity;
}

InstanceType TypeOf(const CatalogueEntry& entry) {
  InstanceType type;
  type.name = TypeId(entry.name);
  type.size[Resource::kCpu] = std::int64_t{entry.cores} * 1000;
  type.size[Resource::kMemory] = entry.memory_gib * kGib;
  type.size[Resource::kDisk] = entry.disk_gib * kGib;
  type.size[Resource::kNetwork] = entry.cores * kNetworkMbitPerCore;
  if (entry.first_generation > kOldest) {
    for (const Generation& generation : kGenerations) {
      if (generation.number >= entry.first_generation) type.skus.push_back(SkuOf(generation));
    }
  }
  return type;
}

}  // namespace berth
