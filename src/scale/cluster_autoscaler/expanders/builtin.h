// Declares the function of every expander in expanders.def; each expander's .cc includes it.
#pragma once

#include "scale/cluster_autoscaler/expander.h"

namespace berth {

#define BERTH_EXPANDER(file, function, summary) \
  double function(const ExpanderInput& input, const NodeEstimate& option, Rng& rng);
#include "scale/cluster_autoscaler/expanders/expanders.def"
#undef BERTH_EXPANDER

}  // namespace berth
