// A method whose bands follow the variance of its errors, which GARCH foresees.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "berth/status.h"
#include "forecast/forecaster.h"
#include "forecast/garch.h"

namespace berth {

// Its errors are those of one step ahead over the second half of the values, at most 200, which it
// followed from those before; fewer where it would otherwise use fewer seasons than of all values.
// Where that cannot be helped a note says so.
Result<std::unique_ptr<FittedForecaster>> FitWithGarch(FitFunction fit, SeasonsTaken taken,
                                                       const FitInput& input);

// By how much a band is stretched at each step. Its own variance grows from step to step by what an
// error adds; each of these errors has the variance of its own time, in units of the usual one.
std::vector<double> BandStretches(std::span<const double> half_widths, const GarchModel& garch);

}  // namespace berth
