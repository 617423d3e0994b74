// A random path of a seasonal ARIMA process.
#pragma once

#include <cstddef>
#include <vector>

#include "appsim/multiverse/set.h"

namespace berth::multiverse {

// So many points, beginning from rest: what was before the first point is zero.
std::vector<double> DrawSarimaPath(const SarimaSpec& spec, std::size_t points, Rng& rng);

}  // namespace berth::multiverse
