#include "forecast/normal_forecast.h"

#include "base/normal.h"

namespace berth {

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
