// Exponential smoothing models fitted to values by maximum likelihood.
//
// The criteria are those of R's forecast::ets: the likelihood up to a constant, the corrected
// criterion of Akaike, weights within their usual limits. What a model starts from is estimated
// too; a season's part of it by least squares, where ets searches in all directions at once.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forecast/ets.h"

namespace berth {

// Longer seasons have more starting values than a history can tell: take them off beforehand.
inline constexpr std::size_t kEtsSeasonMax = 60;

struct EtsFitted {
  EtsModel model;             // After the last value.
  EtsState start;             // Before the first.
  double likelihood = 0;      // Minus two times its logarithm, up to a constant.
  std::size_t estimated = 0;  // How many numbers were.
  double aicc = 0;            // Infinite if there are too few values for so many.
};

// At least two values, and with a season two of it; `period` is not read without one.
EtsFitted FitEts(std::span<const double> values, const EtsForm& form, std::size_t period);

}  // namespace berth
