#include "forecast/pearson.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/quantiles.h"
#include "forecast/series.h"

namespace berth {
namespace {

// In units of the range, so that no square is too small or too large for a number, about the
// average.
std::vector<double> Centred(std::span<const double> values) {
  const auto [least, most] = std::ranges::minmax(values);
  std::vector<double> centred;
  centred.reserve(values.size());
  for (const double value : values) centred.push_back((value - least) / (most - least));
  const double mean = Mean(centred);
  for (double& value : centred) value -= mean;
  return centred;
}

}  // namespace

std::optional<double> PearsonOf(std::span<const double> x, std::span<const double> y) {
  // The average of equal values may be off by a rounding, and the deviations then look alike.
  if (IsConstant(x) || IsConstant(y)) return std::nullopt;
  const std::vector<double> from_x = Centred(x);
  const std::vector<double> from_y = Centred(y);
  double products = 0;
  double x_squares = 0;
  double y_squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    products += from_x[i] * from_y[i];
    x_squares += from_x[i] * from_x[i];
    y_squares += from_y[i] * from_y[i];
  }
  return std::clamp(products / std::sqrt(x_squares * y_squares), -1.0, 1.0);
}

}  // namespace berth
