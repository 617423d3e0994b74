// An input made from seeds by a few small changes.
#pragma once

#include <string>
#include <vector>

#include "berth/rng.h"

namespace berth {

// Draws a seed and one to eight changes of it.
std::string Mutated(const std::vector<std::string>& seeds, Rng& rng);

}  // namespace berth
