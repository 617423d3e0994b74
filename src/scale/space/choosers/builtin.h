// Declares the function of every chooser in choosers.def; each one's .cc includes it.
#pragma once

#include <span>

#include "scale/space/placing.h"

namespace berth {

#define BERTH_PLACING_CHOOSER(file, function, summary) \
  std::size_t function(std::span<const PlacingProposal> proposals, std::span<const double> scores);
#include "scale/space/choosers/choosers.def"
#undef BERTH_PLACING_CHOOSER

}  // namespace berth
