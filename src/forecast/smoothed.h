// A series as exponential smoothing sees it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forecast/ets_fit.h"

namespace berth {

// Of each point the level, with the season's part where there is one, once the point was seen. The
// weights are those of FitEts; the form has additive parts only.
std::vector<double> SmoothedBy(const EtsForm& form, std::span<const double> values,
                               std::size_t period);
// The same with a model that stands before the first value.
std::vector<double> SmoothedBy(EtsModel model, std::span<const double> values);

}  // namespace berth
