#include <algorithm>
#include <numeric>

#include "scale/space/node_adjust.h"
#include "scale/space/placing_fill.h"

namespace berth {
namespace {

// The largest share of a resource that is taken.
double UsedShare(const NodeWorld& world, const VmFilling& node) {
  const Resources used = ResourcesOf(world.demands, node.instances);
  const Resources& capacity = world.types[node.type].capacity;
  double most = 0;
  for (const Resource r : kAllResources) {
    if (capacity[r] == 0) continue;
    most = std::max(most, static_cast<double>(used[r]) / static_cast<double>(capacity[r]));
  }
  return most;
}

// The services whose instances are largest first, as shares of the largest node there is.
std::vector<std::size_t> LargestFirst(const NodeWorld& world) {
  Resources largest;
  for (const VmType& type : world.types) {
    for (const Resource r : kAllResources) largest[r] = std::max(largest[r], type.capacity[r]);
  }
  const auto size_of = [&](std::size_t s) {
    double size = 0;
    for (const Resource r : kAllResources) {
      if (largest[r] == 0) continue;
      size += static_cast<double>(world.demands[s].need[r]) / static_cast<double>(largest[r]);
    }
    return size;
  };
  std::vector<std::size_t> order(world.demands.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, size_of);
  return order;
}

void SortByUse(const NodeWorld& world, std::vector<VmFilling>& nodes) {
  std::ranges::stable_sort(nodes, {},
                           [&](const VmFilling& node) { return UsedShare(world, node); });
}

void TakeSurplus(std::vector<VmFilling>& nodes, std::size_t service, std::uint32_t surplus) {
  for (VmFilling& node : nodes) {
    const std::uint32_t gone = std::min(surplus, node.instances[service]);
    node.instances[service] -= gone;
    surplus -= gone;
  }
}

std::uint32_t PutMissing(const NodeWorld& world, std::vector<VmFilling>& nodes, std::size_t service,
                         std::uint32_t missing) {
  const Resources& need = world.demands[service].need;
  for (std::size_t n = nodes.size(); n-- > 0 && missing > 0;) {
    const Resources free =
        world.types[nodes[n].type].capacity - ResourcesOf(world.demands, nodes[n].instances);
    const std::uint32_t put = std::min(missing, RoomLeftFor(need, free));
    nodes[n].instances[service] += put;
    missing -= put;
  }
  return missing;
}

}  // namespace

RefilledNodes RefillNodes(const NodeWorld& world, const NodeSet& current,
                          const InstanceCounts& wanted, bool may_remove) {
  const InstanceCounts there = InstancesOn(current, wanted.size());
  std::vector<VmFilling> nodes = Ungrouped(current);
  SortByUse(world, nodes);
  for (std::size_t s = 0; s < wanted.size(); ++s) {
    if (there[s] > wanted[s]) TakeSurplus(nodes, s, there[s] - wanted[s]);
  }
  SortByUse(world, nodes);
  RefilledNodes refilled{.missing = InstanceCounts(wanted.size(), 0)};
  for (const std::size_t s : LargestFirst(world)) {
    if (wanted[s] <= there[s]) continue;
    refilled.missing[s] = PutMissing(world, nodes, s, wanted[s] - there[s]);
  }
  if (may_remove) {
    std::erase_if(nodes, [](const VmFilling& node) {
      return std::ranges::all_of(node.instances, [](std::uint32_t count) { return count == 0; });
    });
  }
  refilled.nodes = GroupFillings(nodes);
  return refilled;
}

}  // namespace berth
