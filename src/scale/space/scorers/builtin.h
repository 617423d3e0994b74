// Declares the function of every scorer in scorers.def; each one's .cc includes it.
#pragma once

#include <span>

#include "scale/space/placing.h"

namespace berth {

#define BERTH_PLACING_SCORER(file, function, summary)                             \
  double function(const PlacingProposal& proposal, std::span<const VmType> types, \
                  Duration lifetime);
#include "scale/space/scorers/scorers.def"
#undef BERTH_PLACING_SCORER

}  // namespace berth
