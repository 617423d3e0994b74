// Declares the function of every aggregator in aggregators.def; each one's .cc includes it.
#pragma once

#include <span>

#include "forecast/aggregator.h"

namespace berth {

#define BERTH_AGGREGATOR(file, aggregate, summary) \
  double aggregate(std::span<const double> values, const AggregatorSettings& settings);
#include "forecast/aggregators/aggregators.def"
#undef BERTH_AGGREGATOR

}  // namespace berth
