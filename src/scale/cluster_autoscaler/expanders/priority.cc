#include "scale/cluster_autoscaler/expanders/builtin.h"

namespace berth {

double PriorityBadness(const ExpanderInput& input, const NodeEstimate& option, Rng& /*rng*/) {
  return -static_cast<double>(input.types[option.type].priority);
}

}  // namespace berth
