// Forecasts kept within reason: no further outside what was seen than ten times its range, and not
// below zero if nothing seen was. They are numbers: a bound that is none is the furthest there is,
// a mean that is none the middle of what was seen.
#pragma once

#include <span>

#include "forecast/forecaster.h"

namespace berth {

inline constexpr double kReasonableReach = 10;  // In ranges of what was seen.

struct SeenRange {
  double least = 0;
  double most = 0;

  void See(double value);
  // At least one value.
  static SeenRange Of(std::span<const double> values);
};

void KeepWithinReason(Forecast& forecast, const SeenRange& seen);

}  // namespace berth
