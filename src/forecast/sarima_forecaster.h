// A SARIMA model as a forecaster.
#pragma once

#include <memory>

#include "forecast/forecaster.h"
#include "forecast/sarima_fit.h"

namespace berth {

// Selected within the limits. The season is the longest of at most kEtsSeasonMax points.
std::unique_ptr<FittedForecaster> NewSarimaForecaster(const FitInput& input,
                                                      const SarimaLimits& limits);

}  // namespace berth
