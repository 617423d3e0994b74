// A method tried on the end of a series: fitted to what comes before, compared with what came.
#pragma once

#include "berth/forecast.h"
#include "berth/status.h"
#include "forecast/series_forecaster.h"

namespace berth {

// Whether enough points remain to fit the method: scores of what replaces it would not be its own.
Status CheckBacktest(const ForecasterEntry& method, const TimeSeries& series,
                     const BacktestOptions& options);

// One of the points held out is no gap, as the last is none. The scale of MASE and MSIS is the
// shortest season that fits.
Result<BacktestResult> Backtest(const ForecasterEntry& method, const TimeSeries& series,
                                const BacktestOptions& options);

}  // namespace berth
