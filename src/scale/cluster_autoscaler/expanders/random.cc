#include "scale/cluster_autoscaler/expanders/builtin.h"

namespace berth {

double RandomBadness(const ExpanderInput& /*input*/, const NodeEstimate& /*option*/, Rng& rng) {
  return rng.Unit();
}

}  // namespace berth
