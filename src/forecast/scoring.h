// How good forecasts were, once the values are known: ScoreForecast of berth/forecast.h, by this.
#pragma once

#include "berth/forecast.h"

namespace berth {

// Eq. 6.6 of the thesis: the width of the interval, and 2 / alpha times the distance of a value
// that is outside, alpha being one minus the level. The lower the better.
double IntervalScore(double lower, double upper, double value, double level);

}  // namespace berth
