// Declares the function of every filter in filters.def; each filter's .cc includes it.
#pragma once

#include <vector>

#include "forecast/filter.h"

namespace berth {

#define BERTH_FILTER(file, apply, points_min, points_max, gaps, summary) \
  Result<std::vector<double>> apply(const FilterInput& input);
#include "forecast/filters/filters.def"
#undef BERTH_FILTER

}  // namespace berth
