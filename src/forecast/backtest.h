// A method tried on the end of a series: fitted to what comes before, compared with what came.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "berth/status.h"
#include "berth/time.h"
#include "forecast/scoring.h"
#include "forecast/series_forecaster.h"

namespace berth {

struct BacktestOptions {
  std::size_t horizon = 24;  // So many of the last points are held out.
  double level = 0.95;
  ForecastOptions fit{};
};

struct BacktestResult {
  ForecastScores scores;
  Duration fitting{};  // Of real time.
  std::string description;
  std::vector<std::string> notes;
};

// Whether enough points remain to fit the method: scores of what replaces it would not be its own.
Status CheckBacktest(const ForecasterEntry& method, const TimeSeries& series,
                     const BacktestOptions& options);

// One of the points held out is no gap, as the last is none. The scale of MASE and MSIS is the
// shortest season that fits.
Result<BacktestResult> Backtest(const ForecasterEntry& method, const TimeSeries& series,
                                const BacktestOptions& options);

}  // namespace berth
