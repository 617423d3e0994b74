#include "forecast/stationarity.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "forecast/sarima.h"
#include "forecast/stl.h"

namespace berth {
namespace {

double MeanOf(std::span<const double> values) {
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  return mean;
}

double VarianceOf(std::span<const double> values) {
  const double mean = MeanOf(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size());
}

// Beside values of this average it is only rounding.
bool Negligible(double variance, double mean) { return !(variance > 1e-26 * mean * mean); }

}  // namespace

double LevelStatistic(std::span<const double> values) {
  const std::size_t n = values.size();
  std::vector<double> distances(values.begin(), values.end());
  const double mean = MeanOf(values);
  for (double& distance : distances) distance -= mean;
  double sum = 0;
  double squares_of_sums = 0;
  for (const double distance : distances) {
    sum += distance;
    squares_of_sums += sum * sum;
  }
  const auto covariance = [&](std::size_t lag) {
    double products = 0;
    for (std::size_t i = lag; i < n; ++i) products += distances[i] * distances[i - lag];
    return products / static_cast<double>(n);
  };
  const auto lags = static_cast<std::size_t>(3 * std::sqrt(static_cast<double>(n)) / 13);
  double variance = covariance(0);
  for (std::size_t lag = 1; lag <= lags; ++lag) {
    const double weight = 1 - static_cast<double>(lag) / static_cast<double>(lags + 1);
    variance += 2 * weight * covariance(lag);
  }
  if (Negligible(variance, mean)) return 0;
  return squares_of_sums / (static_cast<double>(n) * static_cast<double>(n) * variance);
}

double SeasonalStrength(std::span<const double> values, std::size_t period) {
  constexpr std::size_t kWindow = 11;
  const StlParts parts = Stl(values, period, kWindow);
  std::vector<double> detrended, rest;
  for (std::size_t i = 0; i < values.size(); ++i) {
    detrended.push_back(values[i] - parts.trend[i]);
    rest.push_back(detrended[i] - parts.season[i]);
  }
  const double all = VarianceOf(detrended);
  if (Negligible(all, MeanOf(values))) return 0;
  return std::clamp(1 - VarianceOf(rest) / all, 0.0, 1.0);
}

std::size_t DifferencesNeeded(std::span<const double> values, std::size_t most) {
  constexpr double kRefuted = 0.463;
  std::vector<double> rest(values.begin(), values.end());
  std::size_t count = 0;
  while (count < most && rest.size() > 2 && LevelStatistic(rest) > kRefuted) {
    rest = Differences(rest, 1);
    ++count;
  }
  return count;
}

std::size_t SeasonalDifferencesNeeded(std::span<const double> values, std::size_t period) {
  constexpr double kStrong = 0.64;
  return SeasonalStrength(values, period) > kStrong ? 1 : 0;
}

}  // namespace berth
