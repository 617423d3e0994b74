// A method tried on the end of a series: fitted to what comes before, compared with what came.
#pragma once

#include "berth/forecast.h"
#include "berth/status.h"
#include "forecast/series_forecaster.h"

namespace berth {

// Whether enough points remain to fit the method: scores of what replaces it would not be its own.
// And whether a forecast gets across a gap before those held out.
Status CheckBacktest(const ForecasterEntry& method, const TimeSeries& series,
                     const BacktestOptions& options);

// Where a gap before the points held out takes from what a forecast reaches, the last of them are
// not scored. The scale of MASE and MSIS is the shortest season that fits.
Result<BacktestResult> Backtest(const ForecasterEntry& method, const TimeSeries& series,
                                const BacktestOptions& options);

}  // namespace berth
