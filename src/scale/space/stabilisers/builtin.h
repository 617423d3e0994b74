// Declares the function of every stabiliser in stabilisers.def; each one's .cc includes it.
#pragma once

#include <span>

#include "scale/space/stabiliser.h"

namespace berth {

#define BERTH_STABILISER(file, function, summary) \
  CountPath function(std::span<const std::uint32_t> counts, std::size_t window);
#include "scale/space/stabilisers/stabilisers.def"
#undef BERTH_STABILISER

}  // namespace berth
