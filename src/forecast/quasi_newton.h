// The least value of a smooth function of some variables, by the method of Broyden, Fletcher,
// Goldfarb and Shanno. Slopes are differences of values. Infinity is an answer, so that limits are
// written as such.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "forecast/nelder_mead.h"

namespace berth {

struct QuasiNewtonOptions {
  std::size_t iterations_max = 100;
  double tolerance = 1e-8;  // It ends when a step gains less than this part of the value.
};

// `start` has a finite value.
Minimum Descend(const std::function<double(std::span<const double>)>& value,
                const std::vector<double>& start, const QuasiNewtonOptions& options);

}  // namespace berth
