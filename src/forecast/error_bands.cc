#include "forecast/error_bands.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace berth {

Forecast WithErrorBands(std::vector<double> mean, std::span<const double> errors,
                        std::span<const double> levels) {
  std::vector<double> distances;
  distances.reserve(errors.size());
  for (const double error : errors) distances.push_back(std::abs(error));
  std::ranges::sort(distances);
  Forecast forecast;
  for (const double level : levels) {
    const double rank = std::ceil(level * static_cast<double>(distances.size() + 1));
    const auto at = std::min(distances.size(), static_cast<std::size_t>(rank));
    const double reach = distances.empty() ? 0 : distances[std::max<std::size_t>(1, at) - 1];
    ForecastBand band{.level = level, .lower = mean, .upper = mean};
    for (double& value : band.lower) value -= reach;
    for (double& value : band.upper) value += reach;
    forecast.bands.push_back(std::move(band));
  }
  forecast.mean = std::move(mean);
  return forecast;
}

}  // namespace berth
