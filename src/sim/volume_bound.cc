#include "sim/volume_bound.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace berth {

VolumeBound::VolumeBound(const Inventory& inventory) {
  for (const Resource r : kAllResources) {
    ByResource& of = resources_[static_cast<std::size_t>(r)];
    for (const MachineState& machine : inventory.machines()) {
      if (machine.vacant() || machine.usable[r] <= 0) continue;
      of.most_first.push_back(machine.usable[r]);
      of.fewest_cores_first.push_back({machine.usable[r], machine.record.capacity[Resource::kCpu]});
    }
    std::ranges::sort(of.most_first, std::greater());
    std::partial_sum(of.most_first.begin(), of.most_first.end(), of.most_first.begin());
    std::ranges::sort(of.fewest_cores_first, [](const Offer& a, const Offer& b) {
      return static_cast<double>(a.millicores) / static_cast<double>(a.amount) <
             static_cast<double>(b.millicores) / static_cast<double>(b.amount);
    });
  }
}

std::uint64_t VolumeBound::MachinesFor(const ResourceTotals& allocated) const {
  std::uint64_t machines = 0;
  for (const Resource r : kAllResources) {
    if (allocated[r] <= 0) continue;
    const std::vector<ResourceTotals::Wide>& sums =
        resources_[static_cast<std::size_t>(r)].most_first;
    const auto enough = std::ranges::lower_bound(sums, allocated[r]);
    // Where even all of them do not hold it, all are needed.
    const auto needed = std::min(enough - sums.begin() + 1, std::ssize(sums));
    machines = std::max(machines, static_cast<std::uint64_t>(needed));
  }
  return machines;
}

double VolumeBound::CoresFor(const ResourceTotals& allocated) const {
  double most = 0;
  for (const Resource r : kAllResources) {
    auto left = static_cast<double>(allocated[r]);
    double millicores = 0;
    for (const Offer& offer : resources_[static_cast<std::size_t>(r)].fewest_cores_first) {
      if (left <= 0) break;
      const double part = std::min(1.0, left / static_cast<double>(offer.amount));
      millicores += part * static_cast<double>(offer.millicores);
      left -= static_cast<double>(offer.amount);
    }
    most = std::max(most, millicores);
  }
  return most / 1000;
}

}  // namespace berth
