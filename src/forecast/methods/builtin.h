// Declares the function of every method in methods.def; each method's .cc includes it.
#pragma once

#include <memory>

#include "forecast/forecaster.h"

namespace berth {

#define BERTH_FORECASTER(file, fit, points_min, updates, seasons, point, season, summary) \
  Result<std::unique_ptr<FittedForecaster>> fit(const FitInput& input);
#include "forecast/methods/methods.def"
#undef BERTH_FORECASTER

}  // namespace berth
