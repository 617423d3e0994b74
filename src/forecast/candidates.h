// Several methods on one series, each with how it did on the end of the series before it was fitted
// to all of it: what the ensemble weighs and the chooser chooses by.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "forecast/forecaster.h"
#include "forecast/season_use.h"
#include "forecast/within_reason.h"

namespace berth {

inline constexpr double kScoredLevel = 0.95;
// In units of FitCost: about a second.
inline constexpr double kCandidatesCostMax = 1e6;

struct ScoredCandidate {
  std::string_view method;
  std::unique_ptr<FittedForecaster> fitted;
  double interval_score = 0;  // Of the band of kScoredLevel, on the points held out.
  Forecast held_out{};        // Of those points, with that band.
};

struct Candidates {
  std::vector<ScoredCandidate> scored{};  // Never none. In the order of methods.def.
  std::size_t held_out = 0;               // Points.
  SeenRange seen{};
  std::size_t points = 0;
  std::vector<std::size_t> seasons{};    // Those given.
  std::vector<std::string> not_tried{};  // "sarima not tried: ..."
};

// Those that are known to be good at something, as far as the history suffices and, each fitted
// twice, in order, the cost: one that would exceed it is left out, which is noted.
Result<Candidates> FitCandidates(const FitInput& input);

// Proportional to the inverse square of the scores; they add up to one.
std::vector<double> WeightsOf(std::span<const double> scores);

// Means and bounds are weighed, point by point. As many weights as forecasts, at least one.
Forecast Weighed(std::span<const Forecast> forecasts, std::span<const double> weights);

// The same of what the candidates foresee, each kept within reason first.
Forecast PredictWeighed(const Candidates& candidates, std::span<const double> weights,
                        std::size_t horizon, std::span<const double> levels, const Rng& rng);

// The point that came next, to those that are weighted; weights stay.
void UpdateWeighed(Candidates& candidates, std::span<const double> weights, double value);

// What those that are kept, which is to say weighed, make of the seasons. One that some use is
// used.
SeasonUse SeasonUseOf(const Candidates& candidates, std::span<const double> weights);

// "70% sarima, 30% singular_spectrum"; not those that are 0%.
std::string WeightsInWords(const Candidates& candidates, std::span<const double> weights);

}  // namespace berth
