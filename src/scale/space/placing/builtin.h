// Declares the function of every strategy in placing.def; each one's .cc includes it.
#pragma once

#include <vector>

#include "scale/space/placing.h"

namespace berth {

#define BERTH_PLACING(file, function, summary) \
  std::vector<PlacingProposal> function(const PlacingTask& task);
#include "scale/space/placing/placing.def"
#undef BERTH_PLACING

}  // namespace berth
