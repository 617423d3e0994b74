// The types of VM that generated zones offer and generated workloads ask for.
//
// "Protean: VM Allocation Service at Scale" (OSDI 2020) publishes, for two zones, how often each
// type is asked for (table 2) and how many cores VMs have (table 3), but not which type has how
// many. The assignment here is ours and satisfies both tables in both zones: types A to M are the
// paper's, X01 and on stand for those that it leaves out as rarer than 2%.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "berth/records.h"

namespace berth {

enum class ProteanZone : std::uint8_t { kZone1, kZone2 };

struct CatalogueEntry {
  std::string_view name;
  std::uint32_t cores = 0;
  std::uint32_t memory_gib = 0;
  std::uint32_t disk_gib = 0;
  std::uint32_t first_generation = 0;  // It runs on this generation of machines and newer ones.
  double percent_zone1 = 0;            // Of the VMs asked for.
  double percent_zone2 = 0;

  double percent(ProteanZone zone) const {
    return zone == ProteanZone::kZone1 ? percent_zone1 : percent_zone2;
  }
};
std::span<const CatalogueEntry> VmCatalogue();

// Generations of machines, as table 1 has them; a generation is a SKU.
struct Generation {
  std::uint32_t number = 0;
  std::uint32_t cores = 0;
  std::uint32_t memory_gib = 0;
  std::uint32_t disk_gib = 0;
  std::uint32_t network_mbit = 0;
  std::uint32_t machines_in_paper = 0;
};
std::span<const Generation> Generations();
SkuId SkuOf(const Generation& generation);
Resources CapacityOf(const Generation& generation);

// An entry as a type of the fleet.
InstanceType TypeOf(const CatalogueEntry& entry);

}  // namespace berth
