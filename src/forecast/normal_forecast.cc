#include "forecast/normal_forecast.h"

#include <cmath>
#include <numbers>

namespace berth {

double NormalQuantile(double p) {
  // Asked once a band: halving an interval is fast enough, and plainly right.
  double low = -40;
  double high = 40;
  for (int i = 0; i < 64; ++i) {
    const double middle = (low + high) / 2;
    const double below = std::erfc(-middle / std::numbers::sqrt2) / 2;
    (below < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

Forecast NormalForecast(std::vector<double> mean, std::span<const double> deviations,
                        std::span<const double> levels) {
  Forecast forecast;
  for (const double level : levels) {
    const double reach = NormalQuantile((1 + level) / 2);
    ForecastBand band{.level = level, .lower = mean, .upper = mean};
    for (std::size_t i = 0; i < mean.size(); ++i) {
      band.lower[i] -= reach * deviations[i];
      band.upper[i] += reach * deviations[i];
    }
    forecast.bands.push_back(std::move(band));
  }
  forecast.mean = std::move(mean);
  return forecast;
}

}  // namespace berth
