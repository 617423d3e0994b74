// Several methods on one series, each with how it did on the end of the series before it was fitted
// to all of it: what the ensemble weighs and the chooser chooses by.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "forecast/forecaster.h"

namespace berth {

struct ScoredCandidate {
  std::string_view method;
  std::unique_ptr<FittedForecaster> fitted;
  double interval_score = 0;  // Of the 95% band, on the points held out.
};

// Those that are known to be good at something and fast enough to be tried on every series, as far
// as the history suffices; never none. In the order of methods.def.
Result<std::vector<ScoredCandidate>> FitCandidates(const FitInput& input);

// Proportional to the inverse square of the scores; they add up to one.
std::vector<double> WeightsOf(std::span<const ScoredCandidate> candidates);

// Means and bounds are weighed, point by point. As many weights as forecasts, at least one.
Forecast Weighed(std::span<const Forecast> forecasts, std::span<const double> weights);

}  // namespace berth
