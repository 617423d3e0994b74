#include "base/quantiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "berth/check.h"

namespace berth {

double Quantile(std::vector<double> samples, double q) {
  BERTH_CHECK(!samples.empty());
  BERTH_CHECK(q >= 0 && q <= 1);
  // 0.07 * 100 is a little over 7 in binary; the rank meant is 7.
  constexpr double kRoundingSlack = 1 - 1e-12;
  const double rank = std::ceil(q * static_cast<double>(samples.size()) * kRoundingSlack);
  const std::size_t index = rank < 1 ? 0 : static_cast<std::size_t>(rank) - 1;
  const auto nth = samples.begin() + static_cast<std::ptrdiff_t>(index);
  std::nth_element(samples.begin(), nth, samples.end());
  return *nth;
}

double Mean(std::span<const double> samples) {
  BERTH_CHECK(!samples.empty());
  double sum = 0;
  for (const double sample : samples) sum += sample;
  return sum / static_cast<double>(samples.size());
}

}  // namespace berth
