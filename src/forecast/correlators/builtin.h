// Declares the function of every correlator in correlators.def; each one's .cc includes it.
#pragma once

#include <optional>
#include <span>

#include "forecast/correlator.h"

namespace berth {

#define BERTH_CORRELATOR(file, correlate, points_max, sign, summary) \
  std::optional<double> correlate(std::span<const double> x, std::span<const double> y);
#include "forecast/correlators/correlators.def"
#undef BERTH_CORRELATOR

}  // namespace berth
