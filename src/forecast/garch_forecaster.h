// A method whose bands follow the variance of its errors, which GARCH foresees.
#pragma once

#include <memory>

#include "berth/status.h"
#include "forecast/forecaster.h"

namespace berth {

// The method must take updates: its errors are those of one step ahead over the second half of the
// values, at most 200, which it followed from those before.
Result<std::unique_ptr<FittedForecaster>> FitWithGarch(FitFunction fit, const FitInput& input);

}  // namespace berth
