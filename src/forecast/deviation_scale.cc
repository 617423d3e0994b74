#include "forecast/deviation_scale.h"

#include <cmath>

#include "base/quantiles.h"

namespace berth {

DeviationScale DeviationScale::Of(std::span<const double> values) {
  DeviationScale scale{.centre = Mean(values)};
  double squares = 0;
  for (const double value : values) squares += (value - scale.centre) * (value - scale.centre);
  if (squares > 0) scale.unit = std::sqrt(squares / static_cast<double>(values.size()));
  return scale;
}

std::vector<double> DeviationScale::Scaled(std::span<const double> values) const {
  std::vector<double> scaled;
  scaled.reserve(values.size());
  for (const double value : values) scaled.push_back(Scaled(value));
  return scaled;
}

}  // namespace berth
