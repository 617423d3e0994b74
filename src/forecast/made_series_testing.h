// Series as a function of the point and of chance.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "berth/rng.h"

namespace berth {

inline constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

inline std::vector<double> Made(std::size_t count,
                                const std::function<double(std::size_t, Rng&)>& value) {
  Rng rng(17);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(value(i, rng));
  return values;
}

// A wave of 24 points.
inline double Day(std::size_t i) {
  return 10 * std::sin(static_cast<double>(i % 24) / 24 * 6.2831853);
}

}  // namespace berth
