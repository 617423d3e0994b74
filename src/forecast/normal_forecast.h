// Bands of forecasts whose errors are taken to be normal.
#pragma once

#include <span>
#include <vector>

#include "forecast/forecaster.h"

namespace berth {

// `deviations` are the standard deviations of the errors, as many as means.
Forecast NormalForecast(std::vector<double> mean, std::span<const double> deviations,
                        std::span<const double> levels);

}  // namespace berth
