// What `berth forecast` tells: tables for people, JSON for programs, plots with bands.
#pragma once

#include <span>
#include <string>

#include "forecast/compare.h"
#include "forecast/performance_classes.h"
#include "report/report.h"

namespace berth {

Table MethodTable(std::span<const MethodForecast> compared);
// The points that come after the series.
Table ForecastTable(const MethodForecast& one, const TimeSeries& series);

// One plot a method: the end of the series, the forecast and its band.
Report ForecastReport(std::span<const MethodForecast> compared, const TimeSeries& series,
                      std::string command);

// {"methods": [{"method", "description", "mase", "msis", "coverage", "interval_score", "fit_ms",
//  "reason", "notes"}], "method", "level", "forecast": [{"at_ms", "mean", "lower", "upper"}]};
// scores that do not exist are null, and "method" is the one that the forecast is of.
std::string ToJson(std::span<const MethodForecast> compared, const TimeSeries& series);

// Of many series: each method's place among the four classes.
Table StandingsTable(std::span<const MethodTrial> trials);

// One plot: every method on every series, by score and time.
Report StandingsReport(std::span<const MethodTrial> trials, std::size_t series,
                       std::string command);

// {"series", "score_median", "fit_ms_median", "methods": [{"method", "class_1" to "class_4",
//  "score_median", "score_mean", "coverage", "fit_ms"}]}.
std::string ToJson(std::span<const MethodTrial> trials, std::size_t series);

}  // namespace berth
