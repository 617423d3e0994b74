#include "forecast/within_reason.h"

#include <algorithm>
#include <cmath>

namespace berth {
void SeenRange::See(double value) {
  least = std::min(least, value);
  most = std::max(most, value);
}

SeenRange SeenRange::Of(std::span<const double> values) {
  SeenRange seen{.least = values.front(), .most = values.front()};
  for (const double value : values) seen.See(value);
  return seen;
}

void KeepWithinReason(Forecast& forecast, const SeenRange& seen) {
  const double reach = kReasonableReach * (seen.most - seen.least);
  const double lowest = seen.least >= 0 ? std::max(0.0, seen.least - reach) : seen.least - reach;
  const double highest = seen.most + reach;
  const auto bound = [&](std::vector<double>& values, double if_none) {
    for (double& value : values) {
      value = std::isnan(value) ? if_none : std::clamp(value, lowest, highest);
    }
  };
  bound(forecast.mean, seen.least + (seen.most - seen.least) / 2);
  for (ForecastBand& band : forecast.bands) {
    bound(band.lower, lowest);
    bound(band.upper, highest);
  }
}

}  // namespace berth
