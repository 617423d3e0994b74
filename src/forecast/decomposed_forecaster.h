// A method fitted to what is left of a series once STL has taken its seasons off.
#pragma once

#include <memory>

#include "berth/status.h"
#include "forecast/forecaster.h"

namespace berth {

// Seasons go on as in their last period, as far as chance does not explain their shapes; what these
// hide of the noise is added to the bands of the rest (season_shapes.h). `fit_rest` is given no
// seasons.
Result<std::unique_ptr<FittedForecaster>> FitDecomposed(FitFunction fit_rest,
                                                        const FitInput& input);

}  // namespace berth
