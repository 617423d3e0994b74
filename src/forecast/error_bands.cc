#include "forecast/error_bands.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/student.h"

namespace berth {
namespace {

// Of the distances, ascending, and one beyond all: the one within which such a share is, from 1.
double RankOf(double level, std::size_t errors) {
  return std::ceil(level * static_cast<double>(errors + 1));
}

}  // namespace

double ReachOfFew(std::span<const double> errors, double level) {
  if (errors.empty() || RankOf(level, errors.size()) <= static_cast<double>(errors.size())) {
    return 0;
  }
  const auto count = static_cast<double>(errors.size());
  double squares = 0;
  for (const double error : errors) squares += error * error / count;
  return std::sqrt(squares * (1 + 1 / count)) * StudentQuantile((1 + level) / 2, errors.size());
}

double ReachOf(std::span<const double> errors, double level) {
  if (errors.empty()) return 0;
  std::vector<double> distances;
  distances.reserve(errors.size());
  for (const double error : errors) distances.push_back(std::abs(error));
  const auto rank = static_cast<std::size_t>(RankOf(level, distances.size()));
  const auto at = distances.begin() +
                  static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(rank, 1, errors.size()) - 1);
  std::ranges::nth_element(distances, at);
  return std::max(*at, ReachOfFew(errors, level));
}

Forecast WithErrorBands(std::vector<double> mean, const SeenErrors& errors,
                        std::span<const double> levels) {
  Forecast forecast;
  for (const double level : levels) {
    const double reach = std::max(ReachOf(errors.held_out, level), ReachOf(errors.fitted, level));
    ForecastBand band{.level = level, .lower = mean, .upper = mean};
    for (double& value : band.lower) value -= reach;
    for (double& value : band.upper) value += reach;
    forecast.bands.push_back(std::move(band));
  }
  forecast.mean = std::move(mean);
  return forecast;
}

}  // namespace berth
