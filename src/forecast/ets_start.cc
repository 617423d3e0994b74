#include "forecast/ets_start.h"

#include <algorithm>
#include <cmath>

namespace berth {
namespace {

// Over one period, centred; where it does not reach, that of the nearest place.
std::vector<double> CentredAverage(std::span<const double> values, std::size_t period) {
  const std::size_t half = period / 2;
  const bool even = period % 2 == 0;
  std::vector<double> averages(values.size());
  const std::size_t end = values.size() - half;
  for (std::size_t i = half; i < end; ++i) {
    double sum = 0;
    for (std::size_t j = i - half; j <= i + half; ++j) sum += values[j];
    if (even) sum -= (values[i - half] + values[i + half]) / 2;
    averages[i] = sum / static_cast<double>(period);
  }
  std::fill_n(averages.begin(), half, averages[half]);
  std::fill(averages.begin() + static_cast<std::ptrdiff_t>(end), averages.end(), averages[end - 1]);
  return averages;
}

struct Line {
  double level = 0;
  double slope = 0;
};
// By least squares, the first value at 1.
Line LineThrough(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) mean += value / n;
  double products = 0;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double distance = static_cast<double>(i + 1) - (n + 1) / 2;
    products += distance * (values[i] - mean);
    squares += distance * distance;
  }
  const double slope = squares == 0 ? 0 : products / squares;
  return {.level = mean - slope * (n + 1) / 2, .slope = slope};
}

}  // namespace

std::vector<double> SeasonalIndices(std::span<const double> values, std::size_t period,
                                    EtsSeason kind) {
  const std::vector<double> averages = CentredAverage(values, period);
  const bool factors = kind == EtsSeason::kMultiplicative;
  const std::size_t half = period / 2;
  std::vector<double> sums(period, 0);
  std::vector<double> counts(period, 0);
  for (std::size_t i = half; i < values.size() - half; ++i) {
    sums[i % period] += factors ? values[i] / averages[i] : values[i] - averages[i];
    counts[i % period] += 1;
  }
  double mean = 0;
  for (std::size_t i = 0; i < period; ++i) {
    sums[i] /= counts[i];
    mean += sums[i] / static_cast<double>(period);
  }
  for (double& index : sums) index = factors ? index / mean : index - mean;
  return sums;
}

EtsState StartOf(std::span<const double> values, const EtsForm& form, std::size_t period) {
  constexpr std::size_t kFirst = 10;
  EtsState state;
  const bool seasonal = form.season != EtsSeason::kNone;
  const std::size_t first = std::min(values.size(), std::max(kFirst, seasonal ? 2 * period : 0));
  std::vector<double> rest(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(first));
  if (seasonal) {
    state.season = SeasonalIndices(values, period, form.season);
    for (std::size_t i = 0; i < first; ++i) {
      const double season = state.season[i % period];
      rest[i] =
          form.season == EtsSeason::kAdditive ? rest[i] - season : rest[i] / std::max(season, 0.01);
    }
  }
  if (form.trend == EtsTrend::kNone) {
    for (const double value : rest) state.level += value / static_cast<double>(first);
  } else {
    const Line line = LineThrough(rest);
    state.level = line.level;
    state.slope = line.slope;
  }
  return state;
}

}  // namespace berth
