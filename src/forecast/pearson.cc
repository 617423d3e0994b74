#include "forecast/pearson.h"

#include <algorithm>
#include <cmath>

#include "base/quantiles.h"

namespace berth {

std::optional<double> PearsonOf(std::span<const double> x, std::span<const double> y) {
  const double x_mean = Mean(x);
  const double y_mean = Mean(y);
  double products = 0;
  double x_squares = 0;
  double y_squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    products += (x[i] - x_mean) * (y[i] - y_mean);
    x_squares += (x[i] - x_mean) * (x[i] - x_mean);
    y_squares += (y[i] - y_mean) * (y[i] - y_mean);
  }
  // Each root apart: the product of the two may be beyond what a number holds.
  const double scale = std::sqrt(x_squares) * std::sqrt(y_squares);
  if (!(scale > 0)) return std::nullopt;
  return std::clamp(products / scale, -1.0, 1.0);
}

}  // namespace berth
