// How few machines could hold what is allocated, if instances could be cut like cloth.
//
// Two true bounds, whatever the mix of machines and whatever a policy does, because they leave out
// everything but volume:
//
// - Machines. For each resource the machines with most of it, taken one by one until they hold all
//   that is allocated of it; the largest such number over the resources.
// - Cores. For each resource the least cores that machines can have which hold all that is
//   allocated of it: machines in the order of cores for each unit of the resource, the last one
//   counted in part; the largest over the resources. The cores allocated over these are a density
//   that no packing exceeds.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fleet/inventory.h"

namespace berth {

class VolumeBound {
 public:
  // Of the machines as they are now.
  explicit VolumeBound(const Inventory& inventory);

  std::uint64_t MachinesFor(const ResourceTotals& allocated) const;
  double CoresFor(const ResourceTotals& allocated) const;

 private:
  struct Offer {
    std::int64_t amount;      // Of the resource, over-subscription included,
    std::int64_t millicores;  // and of the machine.
  };
  struct ByResource {
    std::vector<ResourceTotals::Wide> most_first;  // Sums of the first n + 1.
    std::vector<Offer> fewest_cores_first;
  };
  std::array<ByResource, kResourceCount> resources_;
};

}  // namespace berth
