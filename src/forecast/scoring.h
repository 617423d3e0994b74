// How good forecasts were, once the values are known.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "forecast/forecaster.h"

namespace berth {

// Eq. 6.6 of the thesis: the width of the interval, and 2 / alpha times the distance of a value
// that is outside, alpha being one minus the level. The lower the better.
double IntervalScore(double lower, double upper, double value, double level);

struct ForecastScores {
  std::size_t points = 0;     // Values compared.
  double interval_score = 0;  // Their average.
  double coverage = 0;        // The share of values within the band.
  // The average distance from the mean, and the average interval score, in units of how far the
  // history is on average from itself one season before. None if it repeats itself exactly.
  std::optional<double> mase;
  std::optional<double> msis;
};

// `band` is one of the forecast's. Values that are gaps are left out, as are those of the history.
// The season is in points, shorter than the history; one for none. None if no value is known.
std::optional<ForecastScores> ScoreForecast(const Forecast& forecast, std::size_t band,
                                            std::span<const double> actual,
                                            std::span<const double> history, std::size_t season);

}  // namespace berth
