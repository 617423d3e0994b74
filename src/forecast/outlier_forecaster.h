// A method fitted to a series without its outliers.
#pragma once

#include <memory>

#include "berth/status.h"
#include "forecast/forecaster.h"

namespace berth {

// Bands are of what is usual: outliers are left out of them too. Updates are taken as they are.
Result<std::unique_ptr<FittedForecaster>> FitWithoutOutliers(FitFunction fit,
                                                             const FitInput& input);

}  // namespace berth
