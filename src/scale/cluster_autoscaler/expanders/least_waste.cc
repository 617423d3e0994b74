#include "scale/cluster_autoscaler/expanders/builtin.h"

namespace berth {

double LeastWasteBadness(const ExpanderInput& input, const NodeEstimate& option, Rng& /*rng*/) {
  const Resources& node = input.types[option.type].capacity;
  const auto nodes = static_cast<double>(option.nodes.size());
  double wasted = 0;
  for (const Resource r : {Resource::kCpu, Resource::kMemory}) {
    if (node[r] == 0) continue;
    double used = 0;
    for (std::size_t s = 0; s < input.demands.size(); ++s) {
      used += static_cast<double>(input.demands[s].need[r]) * option.placed[s];
    }
    wasted += 1 - used / (nodes * static_cast<double>(node[r]));
  }
  return wasted;
}

}  // namespace berth
