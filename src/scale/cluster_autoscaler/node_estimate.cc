#include "scale/cluster_autoscaler/node_estimate.h"

#include <algorithm>
#include <numeric>

#include "scale/capacity/vm_count.h"

namespace berth {
namespace {

// Puts as many as fit onto one node and tells how many.
std::uint32_t PutOn(Resources& free, const Resources& need, std::uint32_t left) {
  const std::uint32_t fits = std::min(left, InstancesPerVm(need, free));
  for (const Resource r : kAllResources) free[r] -= need[r] * fits;
  return fits;
}

}  // namespace

double PodScore(const Resources& pod, const Resources& node) {
  double score = 0;
  for (const Resource r : {Resource::kCpu, Resource::kMemory}) {
    if (node[r] > 0) score += static_cast<double>(pod[r]) / static_cast<double>(node[r]);
  }
  return score;
}

NodeEstimate EstimateNodes(std::span<const InstanceDemand> demands, const InstanceCounts& pending,
                           std::span<const VmType> types, std::size_t type) {
  const Resources& capacity = types[type].capacity;
  std::vector<std::size_t> order(demands.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t s) { return PodScore(demands[s].need, capacity); });
  NodeEstimate estimate{.type = type, .placed = InstanceCounts(demands.size(), 0)};
  std::vector<Resources> free;
  // Pods of a service are alike: each node, the first first, takes as many as fit.
  for (const std::size_t s : order) {
    if (!demands[s].need.FitsIn(capacity)) continue;
    std::uint32_t left = pending[s];
    for (std::size_t n = 0; left > 0; ++n) {
      if (n == free.size()) {
        free.push_back(capacity);
        estimate.nodes.emplace_back(demands.size(), 0);
      }
      const std::uint32_t put = PutOn(free[n], demands[s].need, left);
      estimate.nodes[n][s] += put;
      left -= put;
    }
    estimate.placed[s] = pending[s];
  }
  return estimate;
}

}  // namespace berth
