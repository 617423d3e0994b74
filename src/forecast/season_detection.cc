#include "forecast/season_detection.h"

#include <algorithm>
#include <cmath>

#include "forecast/series_forecaster.h"

namespace berth {
namespace {

constexpr std::size_t kLookedAt = 10'000;
constexpr double kClear = 0.3;
constexpr double kTimesChance = 5;
// So large a part of a period is what it may be off, of so many points or more.
constexpr std::size_t kNearPart = 16;
// Of the variance of the series: less is rounding.
constexpr double kNothing = 1e-9;

double SpreadOf(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) mean += value / n;
  double variance = 0;
  for (const double value : values) variance += (value - mean) * (value - mean) / n;
  return variance;
}

// About zero and in units of the farthest from it; all zero of a constant.
std::vector<double> Standard(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) mean += value / n;
  double farthest = 0;
  for (const double value : values) farthest = std::max(farthest, std::abs(value - mean));
  std::vector<double> standard;
  standard.reserve(values.size());
  for (const double value : values) {
    standard.push_back(farthest > 0 ? (value - mean) / farthest : 0);
  }
  return standard;
}

// Without the moving average over one period; of an even one, the outermost two count half. Shorter
// by a period.
std::vector<double> WithoutAverage(std::span<const double> values, std::size_t period) {
  std::vector<double> sums = {0};
  sums.reserve(values.size() + 1);
  for (const double value : values) sums.push_back(sums.back() + value);
  const std::size_t half = period / 2;
  std::vector<double> rest;
  rest.reserve(values.size());
  for (std::size_t i = half; i + half < values.size(); ++i) {
    double sum = sums[i + half + 1] - sums[i - half];
    if (period % 2 == 0) sum -= (values[i - half] + values[i + half]) / 2;
    rest.push_back(values[i] - sum / static_cast<double>(period));
  }
  return rest;
}

// The average of each phase, the first value's first.
std::vector<double> ShapeOf(std::span<const double> values, std::size_t period) {
  std::vector<double> shape;
  shape.reserve(period);
  for (std::size_t phase = 0; phase < period; ++phase) {
    double sum = 0;
    double count = 0;
    for (std::size_t i = phase; i < values.size(); i += period) {
      sum += values[i];
      count += 1;
    }
    shape.push_back(sum / count);
  }
  return shape;
}

// Of the values without their moving average: a trend is no part of the shape.
std::vector<double> WithoutShape(std::span<const double> values, std::size_t period) {
  const std::vector<double> shape = ShapeOf(WithoutAverage(values, period), period);
  std::vector<double> rest(values.begin(), values.end());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    rest[i] -= shape[(i + period - period / 2) % period];
  }
  return rest;
}

// The autocorrelation at a lag, once the moving average over a period is taken off.
double RepetitionAt(std::span<const double> values, std::size_t period, std::size_t lag) {
  if (values.size() < 3 * period) return 0;
  const std::vector<double> rest = WithoutAverage(values, period);
  if (!(SpreadOf(rest) > kNothing * SpreadOf(values))) return 0;
  double products = 0;
  double before = 0;
  double after = 0;
  for (std::size_t i = lag; i < rest.size(); ++i) {
    products += rest[i] * rest[i - lag];
    before += rest[i - lag] * rest[i - lag];
    after += rest[i] * rest[i];
  }
  const double scale = std::sqrt(before * after);
  return scale > 0 ? products / scale : 0;
}

// What the average shape leaves of values without their average.
std::vector<double> NoiseOf(std::span<const double> rest, std::size_t period) {
  const std::vector<double> shape = ShapeOf(rest, period);
  std::vector<double> noise(rest.begin(), rest.end());
  for (std::size_t i = 0; i < noise.size(); ++i) noise[i] -= shape[i % period];
  return noise;
}

// For how many points one of such noise counts: more than one if neighbours are alike (Bartlett
// 1946).
double LikenessOf(std::span<const double> noise) {
  double squares = 0;
  for (const double value : noise) squares += value * value;
  double factor = 1;
  for (std::size_t lag = 1; squares > 0 && lag < noise.size() / 2; ++lag) {
    double products = 0;
    for (std::size_t i = lag; i < noise.size(); ++i) products += noise[i] * noise[i - lag];
    const double correlation = products / squares;
    if (correlation < 0.05) break;
    factor += 2 * correlation * correlation;
  }
  return factor;
}

// By how much chance makes a series repeat itself less or more over the period.
double ChanceRepetition(std::span<const double> values, std::size_t period) {
  const double likeness = LikenessOf(NoiseOf(WithoutAverage(values, period), period));
  return std::sqrt(likeness / static_cast<double>(values.size() - 2 * period));
}

// The variance that the average shape of a period leaves: the less, the more alike all points are
// that are 1, 2, 3, ... periods apart. A shape explains some of any noise, hence the divisor.
double Unexplained(std::span<const double> rest, std::size_t period) {
  double squares = 0;
  for (const double value : NoiseOf(rest, period)) squares += value * value;
  return squares / static_cast<double>(rest.size() - period);
}

// One period apart a wave of many points is as like itself as one more or less apart; of many of
// them only those of the true length stay in step. So of the lengths near one that repeats that one
// whose shape leaves least; but a usual one where chance makes as much of a difference.
std::size_t Refined(std::span<const double> values, std::size_t period,
                    std::span<const std::size_t> usual) {
  const std::size_t reach = period / kNearPart;
  if (reach == 0) return period;
  const std::vector<double> rest = WithoutAverage(values, period);
  const std::size_t to = std::min(period + reach, values.size() / 3);
  std::size_t best = period;
  double least = Unexplained(rest, period);
  for (std::size_t near = period - reach; near <= to; ++near) {
    const double unexplained = Unexplained(rest, near);
    if (unexplained >= least) continue;
    least = unexplained;
    best = near;
  }
  const double degrees = static_cast<double>(best) * LikenessOf(NoiseOf(rest, best));
  const double chance = 2 * std::sqrt(degrees) / static_cast<double>(rest.size() - best);
  for (const std::size_t length : usual) {
    const bool is_near = length + reach >= period && length <= to;
    if (is_near && Unexplained(rest, length) <= least * (1 + kTimesChance * chance)) return length;
  }
  return best;
}

// Among the multiples of `unit` that are longer, or of one point, and not longer than a third of
// the values. Zero: none.
std::size_t ShortestSeason(std::span<const double> values, std::size_t unit,
                           std::span<const std::size_t> usual) {
  const std::size_t longest = std::min(values.size() / 3, kSeasonMax);
  std::vector<double> repetitions;  // Of 2, 3, ... units.
  for (std::size_t period = 2 * unit; period <= longest; period += unit) {
    repetitions.push_back(Repetition(values, period));
  }
  for (std::size_t i = 0; i < repetitions.size(); ++i) {
    if (repetitions[i] < kClear) continue;
    const std::size_t units = i + 2;
    const std::size_t from = std::max<std::size_t>(2, (units + 1) / 2) - 2;
    const std::size_t to = std::min(repetitions.size(), units * 3 / 2 - 1);
    const auto at = [&](std::size_t index) {
      return repetitions.begin() + static_cast<std::ptrdiff_t>(index);
    };
    if (*std::max_element(at(from), at(to)) > repetitions[i]) continue;
    // A part of a longer wave is more like itself half a part ago, and does not repeat over two.
    const std::size_t period = units * unit;
    if (RepetitionAt(values, period, (period + 1) / 2) >= repetitions[i]) continue;
    if (2 * units - 2 < repetitions.size() && repetitions[2 * units - 2] < kClear) continue;
    if (repetitions[i] <= kTimesChance * ChanceRepetition(values, period)) continue;
    return unit == 1 ? Refined(values, period, usual) : period;
  }
  return 0;
}

}  // namespace

double Repetition(std::span<const double> values, std::size_t period) {
  return RepetitionAt(values, period, period);
}

std::vector<std::size_t> DetectSeasons(std::span<const double> values,
                                       std::span<const std::size_t> usual) {
  std::vector<double> rest = Standard(values.last(std::min(values.size(), kLookedAt)));
  const double variance = SpreadOf(rest);
  std::vector<std::size_t> seasons;
  while (seasons.size() < kSeasonsMax && SpreadOf(rest) > kNothing * variance) {
    const std::size_t season = ShortestSeason(rest, seasons.empty() ? 1 : seasons.back(), usual);
    if (season == 0) break;
    seasons.push_back(season);
    rest = WithoutShape(rest, season);
  }
  return seasons;
}

}  // namespace berth
