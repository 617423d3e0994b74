// Fleet files: a zone written as groups of SKU x count, with a list of named machine overrides. The
// format is in docs/formats.md.
//
//   BERTH_TRY(const FleetFile fleet, ReadFleetFile("west-1.yaml"));
//   for (ChangeSet& change : ToChanges(fleet)) { ... }   // Commit in this order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "berth/change.h"
#include "berth/records.h"
#include "berth/status.h"

namespace berth {

inline constexpr std::size_t kMachinesMax = 1'000'000;  // In one file.
inline constexpr std::uint32_t kMachinesPerRack = 20;   // Where a cluster does not say.
inline constexpr std::uint32_t kUpdateDomains = 5;      // Where a cluster does not say.
inline constexpr std::uint32_t kUpdateDomainsMax = 1000;

struct Sku {
  SkuId name;
  Resources capacity;
  Labels labels;  // That each of its machines carries.

  friend bool operator==(const Sku&, const Sku&) = default;
};

struct FleetFile {
  std::string zone;
  std::vector<Sku> skus;
  std::vector<InstanceType> types;
  std::vector<Tenant> tenants;
  std::vector<Machine> machines;  // The clusters' in their order, then those added by hand.

  friend bool operator==(const FleetFile&, const FleetFile&) = default;
};

// So many alike machines, spread evenly over racks and the racks over rows; update domains take
// turns, so that each holds a part of every rack.
struct ClusterLayout {
  ClusterId name;
  DatacenterId datacenter;
  std::uint32_t machines = 0;
  std::uint32_t racks = 0;  // In the whole cluster: at most one a machine.
  std::uint32_t rows = 1;   // At most one a rack.
  std::uint32_t update_domains = kUpdateDomains;
  Labels labels;  // Beside the SKU's.
};

// Named <cluster>-0001 and on, with as many digits as make the order of names that of numbers.
std::vector<Machine> LayOut(const ClusterLayout& layout, const Sku& sku);

Result<FleetFile> ParseFleetFile(std::string_view text, const std::string& file_name);
Result<FleetFile> ReadFleetFile(const std::string& path);

// The inverse: clusters whose machines are laid out evenly become a line each, what differs becomes
// overrides. Each machine's SKU must be in the file and its labels among the machine's.
std::string FormatFleetFile(const FleetFile& file);

// In sets that a store takes, each after what it needs. `seen` and `at` are the caller's to fill.
std::vector<ChangeSet> ToChanges(const FleetFile& file);

}  // namespace berth
