#include <numeric>

#include "scale/cluster_autoscaler/expanders/builtin.h"

namespace berth {

double MostPodsBadness(const ExpanderInput& /*input*/, const NodeEstimate& option, Rng& /*rng*/) {
  return -static_cast<double>(
      std::accumulate(option.placed.begin(), option.placed.end(), std::uint64_t{0}));
}

}  // namespace berth
