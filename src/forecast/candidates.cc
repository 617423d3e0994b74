#include "forecast/candidates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "forecast/scoring.h"

namespace berth {
namespace {

constexpr std::array<std::string_view, 5> kTried = {
    "seasonal_naive", "lag_regression", "seasonal_decomposition", "sarima", "singular_spectrum"};
constexpr double kScoredLevel = 0.95;

// The longest season of which two are left to fit; a quarter if there is none.
std::size_t HeldOut(const FitInput& input) {
  const std::size_t quarter = std::max<std::size_t>(1, input.values.size() / 4);
  for (std::size_t i = input.seasons.size(); i > 0; --i) {
    if (3 * input.seasons[i - 1] <= input.values.size()) return input.seasons[i - 1];
  }
  return quarter;
}

Result<double> ScoreOf(const ForecasterEntry& method, const FitInput& input, std::size_t held_out) {
  const std::span<const double> known = input.values.first(input.values.size() - held_out);
  std::vector<std::size_t> seasons;
  for (const std::size_t season : input.seasons) {
    if (2 * season <= known.size()) seasons.push_back(season);
  }
  BERTH_TRY(const auto fitted,
            method.fit({.values = known, .seasons = seasons, .rng = input.rng.Fork("held out")}));
  const Forecast forecast =
      fitted->Predict(held_out, std::span(&kScoredLevel, 1), input.rng.Fork("bands held out"));
  return ScoreForecast(forecast, 0, input.values.last(held_out), known, 1)->interval_score;
}

}  // namespace

Result<std::vector<ScoredCandidate>> FitCandidates(const FitInput& input) {
  const std::size_t held_out = HeldOut(input);
  std::vector<ScoredCandidate> candidates;
  for (const ForecasterEntry& method : BuiltinForecasters()) {
    const bool tried = std::ranges::find(kTried, method.name) != kTried.end();
    if (!tried || input.values.size() < method.points_min + held_out) continue;
    BERTH_TRY(const double score, ScoreOf(method, input, held_out));
    BERTH_TRY(auto fitted, method.fit(input));
    candidates.push_back(
        {.method = method.name, .fitted = std::move(fitted), .interval_score = score});
  }
  return candidates;
}

std::vector<double> WeightsOf(std::span<const ScoredCandidate> candidates) {
  double least = candidates.front().interval_score;
  for (const ScoredCandidate& one : candidates) least = std::min(least, one.interval_score);
  std::vector<double> weights;
  double sum = 0;
  for (const ScoredCandidate& one : candidates) {
    // One that was never wrong leaves nothing to the others.
    const double ratio = one.interval_score == least ? 1 : least / one.interval_score;
    weights.push_back(ratio * ratio);
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

Forecast Weighed(std::span<const Forecast> forecasts, std::span<const double> weights) {
  Forecast sum = forecasts.front();
  const auto add = [](std::vector<double>& to, double weight, std::span<const double> part) {
    for (std::size_t h = 0; h < to.size(); ++h) to[h] += weight * part[h];
  };
  const auto clear = [](std::vector<double>& values) { std::ranges::fill(values, 0); };
  clear(sum.mean);
  for (ForecastBand& band : sum.bands) {
    clear(band.lower);
    clear(band.upper);
  }
  for (std::size_t i = 0; i < forecasts.size(); ++i) {
    add(sum.mean, weights[i], forecasts[i].mean);
    for (std::size_t k = 0; k < sum.bands.size(); ++k) {
      add(sum.bands[k].lower, weights[i], forecasts[i].bands[k].lower);
      add(sum.bands[k].upper, weights[i], forecasts[i].bands[k].upper);
    }
  }
  return sum;
}

}  // namespace berth
