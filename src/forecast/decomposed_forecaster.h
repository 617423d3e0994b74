// A method fitted to what is left of a series once STL has taken its seasons off.
#pragma once

#include <memory>

#include "berth/status.h"
#include "forecast/forecaster.h"

namespace berth {

// Seasons go on as in their last period; their errors are small beside those of the rest, so that
// the bands are the rest's. `fit_rest` is given no seasons.
Result<std::unique_ptr<FittedForecaster>> FitDecomposed(FitFunction fit_rest,
                                                        const FitInput& input);

}  // namespace berth
