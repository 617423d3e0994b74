#include "forecast/stl.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace berth {
namespace {

// Positions are counted from 1, as in the published program; `left` and `right` belong to the
// neighbourhood.
struct Neighbourhood {
  std::size_t left = 1;
  std::size_t right = 1;
};

class LoessSmoother {
 public:
  LoessSmoother(std::span<const double> values, const LoessOptions& options)
      : values_(values), options_(options), weights_(values.size()) {}

  // The fitted value at a position, which may be one before or after the values.
  double At(double position, const Neighbourhood& near) {
    const auto left = static_cast<double>(near.left);
    const auto right = static_cast<double>(near.right);
    double reach = std::max(position - left, right - position);
    if (options_.window > values_.size()) {
      const std::size_t half = (options_.window - values_.size()) / 2;
      reach += static_cast<double>(half);
    }
    Weigh(position, near, reach);
    if (options_.degree > 0 && reach > 0) Tilt(position, near);
    double fitted = 0;
    for (std::size_t j = near.left; j <= near.right; ++j) fitted += weights_[j - 1] * value(j);
    return fitted;
  }

  Neighbourhood Near(std::size_t position) const {
    const std::size_t n = values_.size();
    const std::size_t window = options_.window;
    if (window >= n) return {1, n};
    const std::size_t half = (window + 1) / 2;
    if (position < half) return {1, window};
    if (position + half > n) return {n - window + 1, n};
    return {position - half + 1, position + window - half};
  }

  double value(std::size_t position) const { return values_[position - 1]; }

 private:
  // Tricube by distance, adding up to one.
  void Weigh(double position, const Neighbourhood& near, double reach) {
    double sum = 0;
    for (std::size_t j = near.left; j <= near.right; ++j) {
      const double distance = std::abs(static_cast<double>(j) - position);
      double weight = 0;
      if (distance <= 0.001 * reach) {
        weight = 1;
      } else if (distance <= 0.999 * reach) {
        const double share = distance / reach;
        const double rest = 1 - share * share * share;
        weight = rest * rest * rest;
      }
      weights_[j - 1] = weight;
      sum += weight;
    }
    // The nearest is always within reach.
    for (std::size_t j = near.left; j <= near.right; ++j) weights_[j - 1] /= sum;
  }

  // From a weighted average to a weighted line.
  void Tilt(double position, const Neighbourhood& near) {
    double centre = 0;
    for (std::size_t j = near.left; j <= near.right; ++j) {
      centre += weights_[j - 1] * static_cast<double>(j);
    }
    double spread = 0;
    for (std::size_t j = near.left; j <= near.right; ++j) {
      const double distance = static_cast<double>(j) - centre;
      spread += weights_[j - 1] * distance * distance;
    }
    if (std::sqrt(spread) <= 0.001 * static_cast<double>(values_.size() - 1)) return;
    const double slope = (position - centre) / spread;
    for (std::size_t j = near.left; j <= near.right; ++j) {
      weights_[j - 1] *= slope * (static_cast<double>(j) - centre) + 1;
    }
  }

  std::span<const double> values_;
  LoessOptions options_;
  std::vector<double> weights_;
};

std::size_t NextOdd(double value) {
  const auto whole = static_cast<std::size_t>(std::ceil(value));
  return whole % 2 == 1 ? whole : whole + 1;
}
std::size_t JumpOf(std::size_t window) { return (window + 9) / 10; }

// The averages of so many values in a row: shorter by all but one of them.
std::vector<double> MovingAverage(std::span<const double> values, std::size_t length) {
  std::vector<double> averages;
  averages.reserve(values.size() - length + 1);
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[i];
    if (i + 1 < length) continue;
    averages.push_back(sum / static_cast<double>(length));
    sum -= values[i + 1 - length];
  }
  return averages;
}

// Each phase's values smoothed as a series of its own, and one period more at either end.
std::vector<double> SmoothPhases(std::span<const double> values, std::size_t period,
                                 std::size_t window) {
  std::vector<double> smooth(values.size() + 2 * period);
  std::vector<double> phase;
  const LoessOptions options = SeasonSmoothing(window);
  for (std::size_t j = 0; j < period; ++j) {
    phase.clear();
    for (std::size_t i = j; i < values.size(); i += period) phase.push_back(values[i]);
    const std::size_t n = phase.size();
    const std::vector<double> inside = Loess(phase, options);
    for (std::size_t i = 0; i < n; ++i) smooth[(i + 1) * period + j] = inside[i];
    LoessSmoother ends(phase, options);
    smooth[j] = ends.At(0, {1, std::min(window, n)});
    smooth[(n + 1) * period + j] =
        ends.At(static_cast<double>(n + 1), {n > window ? n - window + 1 : 1, n});
  }
  return smooth;
}

}  // namespace

std::vector<double> Loess(std::span<const double> values, const LoessOptions& options) {
  const std::size_t n = values.size();
  if (n < 2) return {values.begin(), values.end()};
  LoessSmoother smoother(values, options);
  const std::size_t jump = std::min(options.jump, n - 1);
  std::vector<double> fitted(n);
  std::size_t last = 0;  // The position fitted last.
  for (std::size_t i = 1;; i = std::min(i + jump, n)) {
    fitted[i - 1] = smoother.At(static_cast<double>(i), smoother.Near(i));
    if (last > 0) {
      const double slope = (fitted[i - 1] - fitted[last - 1]) / static_cast<double>(i - last);
      for (std::size_t j = last + 1; j < i; ++j) {
        fitted[j - 1] = fitted[last - 1] + slope * static_cast<double>(j - last);
      }
    }
    if (i == n) break;
    last = i;
  }
  return fitted;
}

std::size_t SeasonWindow(std::size_t place) { return 11 + 4 * place; }

LoessOptions SeasonSmoothing(std::size_t season_window) {
  return {.window = season_window, .degree = 0, .jump = JumpOf(season_window)};
}

StlParts Stl(std::span<const double> values, std::size_t period, std::size_t season_window) {
  constexpr int kRounds = 2;
  const std::size_t n = values.size();
  const std::size_t trend_window =
      NextOdd(1.5 * static_cast<double>(period) / (1 - 1.5 / static_cast<double>(season_window)));
  const std::size_t low_window = NextOdd(static_cast<double>(period));
  StlParts parts{.season = std::vector<double>(n), .trend = std::vector<double>(n)};
  std::vector<double> rest(n);
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < n; ++i) rest[i] = values[i] - parts.trend[i];
    const std::vector<double> phases = SmoothPhases(rest, period, season_window);
    // What of it is slow belongs to the trend.
    const std::vector<double> low =
        Loess(MovingAverage(MovingAverage(MovingAverage(phases, period), period), 3),
              {.window = low_window, .degree = 1, .jump = JumpOf(low_window)});
    for (std::size_t i = 0; i < n; ++i) {
      parts.season[i] = phases[period + i] - low[i];
      rest[i] = values[i] - parts.season[i];
    }
    parts.trend = Loess(rest, {.window = trend_window, .degree = 1, .jump = JumpOf(trend_window)});
  }
  return parts;
}

MstlParts Mstl(std::span<const double> values, std::span<const std::size_t> periods) {
  constexpr int kRounds = 2;
  MstlParts parts;
  parts.adjusted.assign(values.begin(), values.end());
  parts.seasons.assign(periods.size(), std::vector<double>(values.size(), 0));
  parts.trends.resize(periods.size());
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t k = 0; k < periods.size(); ++k) {
      std::vector<double>& season = parts.seasons[k];
      for (std::size_t i = 0; i < values.size(); ++i) parts.adjusted[i] += season[i];
      StlParts found = Stl(parts.adjusted, periods[k], SeasonWindow(k));
      season = std::move(found.season);
      parts.trends[k] = std::move(found.trend);
      for (std::size_t i = 0; i < values.size(); ++i) parts.adjusted[i] -= season[i];
    }
  }
  return parts;
}

}  // namespace berth
