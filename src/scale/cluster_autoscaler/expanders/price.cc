#include <algorithm>

#include "scale/cluster_autoscaler/expanders/builtin.h"

namespace berth {

// Options may place different pods, so their price is that of a unit of what they place: of cpu
// and memory as shares of the largest node there is.
double PriceBadness(const ExpanderInput& input, const NodeEstimate& option, Rng& /*rng*/) {
  Resources largest;
  for (const VmType& type : input.types) {
    for (const Resource r : kAllResources) largest[r] = std::max(largest[r], type.capacity[r]);
  }
  double placed = 0;
  for (std::size_t s = 0; s < input.demands.size(); ++s) {
    placed += PodScore(input.demands[s].need, largest) * option.placed[s];
  }
  const double price = static_cast<double>(input.types[option.type].hour_micros) *
                       static_cast<double>(option.nodes.size());
  return placed > 0 ? price / placed : price;
}

}  // namespace berth
