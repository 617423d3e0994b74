// What a smoothing model starts from, before anything is estimated.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forecast/ets.h"

namespace berth {

// A period's parts of the values, by classical decomposition: the average distance from, or factor
// of, a centred moving average. They add up to zero, or to as many as there are. At least two
// periods.
std::vector<double> SeasonalIndices(std::span<const double> values, std::size_t period,
                                    EtsSeason kind);

// The season by its indices, level and slope by a line through the first values without it.
EtsState StartOf(std::span<const double> values, const EtsForm& form, std::size_t period);

}  // namespace berth
