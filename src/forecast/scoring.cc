#include "forecast/scoring.h"

#include <algorithm>
#include <cmath>

namespace berth {
namespace {

// The average distance from one season before; zero if there is none.
double SeasonalScale(std::span<const double> history, std::size_t season) {
  double sum = 0;
  double count = 0;
  for (std::size_t i = season; i < history.size(); ++i) {
    const double distance = std::abs(history[i] - history[i - season]);
    if (std::isnan(distance)) continue;
    sum += distance;
    count += 1;
  }
  return count == 0 ? 0 : sum / count;
}

}  // namespace

double IntervalScore(double lower, double upper, double value, double level) {
  const double penalty = 2 / (1 - level);
  return (upper - lower) + penalty * std::max(0.0, lower - value) +
         penalty * std::max(0.0, value - upper);
}

std::optional<ForecastScores> ScoreForecast(const Forecast& forecast, std::size_t band,
                                            std::span<const double> actual,
                                            std::span<const double> history, std::size_t season) {
  const ForecastBand& of = forecast.bands[band];
  ForecastScores scores;
  double distance = 0;
  for (std::size_t i = 0; i < std::min(actual.size(), forecast.mean.size()); ++i) {
    if (std::isnan(actual[i])) continue;
    ++scores.points;
    distance += std::abs(actual[i] - forecast.mean[i]);
    scores.interval_score += IntervalScore(of.lower[i], of.upper[i], actual[i], of.level);
    if (actual[i] >= of.lower[i] && actual[i] <= of.upper[i]) scores.coverage += 1;
  }
  if (scores.points == 0) return std::nullopt;
  const auto points = static_cast<double>(scores.points);
  scores.interval_score /= points;
  scores.coverage /= points;
  if (const double scale = SeasonalScale(history, season); scale > 0) {
    scores.mase = distance / points / scale;
    scores.msis = scores.interval_score / scale;
  }
  return scores;
}

}  // namespace berth
