// How long fitting takes, as far as the points and their season tell it: so that what would take
// too long is refused before it begins, and no clock decides what a method that chooses tries.
#pragma once

#include <cstddef>
#include <span>

#include "berth/status.h"
#include "forecast/forecaster.h"

namespace berth {

// In units of FitCost: of one fit while others wait for an answer. Of those measured near the
// limits none took longer, on series drawn to be hard; the most memory was 501 MB, of
// exponential_smoothing of a million points with a season of 60.
inline constexpr double kLiveFitCostMax = 5'000'000;

// About so many microseconds of a core at most. `seasons` are those that fit the history.
double FitCost(const ForecasterEntry& method, std::size_t points,
               std::span<const std::size_t> seasons);

// Refused if it would be more; says of what, and what to do.
Status CheckFitCost(const ForecasterEntry& method, std::size_t points,
                    std::span<const std::size_t> seasons, double cost_max);

}  // namespace berth
