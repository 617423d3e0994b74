#include "forecast/season_shapes.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace berth {
namespace {

// Of more periods the weights at the ends hardly count.
constexpr std::size_t kPeriodsWeighed = 100;

double MeanSquare(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum / static_cast<double>(values.size());
}

double MeanSquareAbout(std::span<const double> values, std::span<const double> trend) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += (values[i] - trend[i]) * (values[i] - trend[i]);
  }
  return sum / static_cast<double>(values.size());
}

// Of a day and a week, the day has taken off what repeats in both.
double ShareLeftBy(std::size_t shorter, std::size_t period) {
  return 1 - static_cast<double>(std::gcd(shorter, period)) / static_cast<double>(period);
}

ShapeNoise NoiseOfSeason(std::span<const std::size_t> periods, std::size_t k, std::size_t points) {
  ShapeNoise noise = ShapeNoiseOf(points / periods[k], SeasonWindow(k));
  if (k == 0) return noise;
  const double left = ShareLeftBy(periods[k - 1], periods[k]);
  return {.own = left * noise.own, .found = left * noise.found, .ahead = left * noise.ahead};
}

// The share of the shape that is none of chance's. `left` is the variance of what it leaves.
double KeptShare(std::span<const double> shape, double left, const ShapeNoise& of) {
  const double by_chance = left / of.left() * of.found;
  const double found = MeanSquare(shape);
  return found > by_chance ? 1 - by_chance / found : 0;
}

}  // namespace

ShapeNoise ShapeNoiseOf(std::size_t periods, std::size_t season_window) {
  const std::size_t count = std::min(periods, kPeriodsWeighed);
  const LoessOptions options = SeasonSmoothing(season_window);
  ShapeNoise noise;
  std::vector<double> one(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    one[i] = 1;
    const std::vector<double> weights = Loess(one, options);  // Of this value, at each place.
    one[i] = 0;
    noise.own += weights[i] / static_cast<double>(count);
    noise.found += MeanSquare(weights);
    noise.ahead += weights.back() * weights.back();
  }
  return noise;
}

SeasonShapes ShapesOf(std::span<const double> values, std::span<const std::size_t> periods) {
  MstlParts parts = Mstl(values, periods);
  SeasonShapes shapes{
      .seasons = std::move(parts.seasons), .kept = {}, .rest = std::move(parts.adjusted)};
  double left = 1;   // Of the variance of noise.
  double ahead = 0;  // What the shapes hold of it.
  for (std::size_t k = 0; k < periods.size(); ++k) {
    const ShapeNoise noise = NoiseOfSeason(periods, k, values.size());
    const double remains = MeanSquareAbout(shapes.rest, parts.trends[k]);
    const double kept = KeptShare(shapes.seasons[k], remains, noise);
    for (double& value : shapes.seasons[k]) value *= kept;
    shapes.kept.push_back(kept);
    left *= noise.left();
    ahead += kept * noise.ahead;
  }
  if (periods.empty()) return shapes;
  const double noise = MeanSquareAbout(shapes.rest, parts.trends.back()) / left;
  shapes.hidden_variance = noise * (1 - left + ahead);
  return shapes;
}

}  // namespace berth
