#include "forecast/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "forecast/fit_cost.h"
#include "forecast/scoring.h"

namespace berth {
namespace {

constexpr std::array<std::string_view, 6> kTried = {"last_value",     "seasonal_naive",
                                                    "lag_regression", "seasonal_decomposition",
                                                    "sarima",         "singular_spectrum"};

constexpr double kWeightLeast = 0.005;  // Less is 0%.

// The longest season of which two are left to fit; a quarter if there is none.
std::size_t HeldOut(const FitInput& input) {
  const std::size_t quarter = std::max<std::size_t>(1, input.values.size() / 4);
  for (std::size_t i = input.seasons.size(); i > 0; --i) {
    if (3 * input.seasons[i - 1] <= input.values.size()) return input.seasons[i - 1];
  }
  return quarter;
}

// What the method foresees of the points held out, from those before them.
Result<Forecast> ForecastOfEnd(const ForecasterEntry& method, const FitInput& input,
                               std::size_t held_out) {
  const std::span<const double> known = input.values.first(input.values.size() - held_out);
  const std::vector<std::size_t> seasons = SeasonsWithin(input.seasons, known.size());
  BERTH_TRY(const auto fitted,
            method.fit({.values = known, .seasons = seasons, .rng = input.rng.Fork("held out")}));
  Forecast forecast =
      fitted->Predict(held_out, std::span(&kScoredLevel, 1), input.rng.Fork("bands held out"));
  KeepWithinReason(forecast, SeenRange::Of(known));
  return forecast;
}

std::string TooFewFor(const ForecasterEntry& method, std::size_t held_out) {
  return fmt::format("{} not tried: it needs {} before the {} that were held out", method.name,
                     Plural(method.points_min, "point"), FormatCount(held_out));
}

std::string TooManyFor(const ForecasterEntry& method, std::size_t points) {
  return fmt::format("{} not tried: fitted twice to {}, it would take too long", method.name,
                     Plural(points, "point"));
}

}  // namespace

Result<Candidates> FitCandidates(const FitInput& input) {
  Candidates candidates{.held_out = HeldOut(input),
                        .seen = SeenRange::Of(input.values),
                        .points = input.values.size(),
                        .seasons = {input.seasons.begin(), input.seasons.end()}};
  const std::size_t points = input.values.size();
  const std::size_t known = points - candidates.held_out;
  const std::vector<std::size_t> seasons_known = SeasonsWithin(input.seasons, known);
  double cost = 0;
  for (const ForecasterEntry& method : BuiltinForecasters()) {
    if (std::ranges::find(kTried, method.name) == kTried.end()) continue;
    if (points < method.points_min + candidates.held_out) {
      candidates.not_tried.push_back(TooFewFor(method, candidates.held_out));
      continue;
    }
    const double more =
        FitCost(method, known, seasons_known) + FitCost(method, points, input.seasons);
    if (!candidates.scored.empty() && cost + more > kCandidatesCostMax) {
      candidates.not_tried.push_back(TooManyFor(method, points));
      continue;
    }
    cost += more;
    BERTH_TRY(Forecast of_end, ForecastOfEnd(method, input, candidates.held_out));
    const auto scores =
        ScoreForecast(of_end, 0, input.values.last(candidates.held_out), input.values.first(1), 1);
    BERTH_TRY(auto fitted, method.fit(input));
    candidates.scored.push_back({.method = method.name,
                                 .fitted = std::move(fitted),
                                 .interval_score = scores->interval_score,
                                 .held_out = std::move(of_end)});
  }
  return candidates;
}

std::vector<double> WeightsOf(std::span<const double> scores) {
  const double least = std::ranges::min(scores);
  std::vector<double> weights;
  weights.reserve(scores.size());
  double sum = 0;
  for (const double score : scores) {
    // One that was never wrong leaves nothing to the others.
    const double ratio = score == least ? 1 : least / score;
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

Forecast PredictWeighed(const Candidates& candidates, std::span<const double> weights,
                        std::size_t horizon, std::span<const double> levels, const Rng& rng) {
  std::vector<Forecast> forecasts;
  std::vector<double> their_weights;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    const ScoredCandidate& one = candidates.scored[i];
    forecasts.push_back(one.fitted->Predict(horizon, levels, rng.Fork(one.method)));
    KeepWithinReason(forecasts.back(), candidates.seen);
    their_weights.push_back(weights[i]);
  }
  return Weighed(forecasts, their_weights);
}

void UpdateWeighed(Candidates& candidates, std::span<const double> weights, double value) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0) candidates.scored[i].fitted->Update(value);
  }
  candidates.seen.See(value);
}

SeasonUse SeasonUseOf(const Candidates& candidates, std::span<const double> weights) {
  std::vector<std::size_t> used;
  std::size_t kept = 0;
  SeasonUse of_last;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] < kWeightLeast) continue;
    const ForecasterEntry* const method = FindForecaster(candidates.scored[i].method).value();
    of_last = SeasonUseOf(*method, candidates.points, candidates.seasons);
    used.insert(used.end(), of_last.used.begin(), of_last.used.end());
    ++kept;
  }
  if (kept == 1) return of_last;
  SeasonUse use;
  std::vector<std::size_t> unused;
  for (const std::size_t season : candidates.seasons) {
    const bool by_some = std::ranges::find(used, season) != used.end();
    (by_some ? use.used : unused).push_back(season);
  }
  if (!unused.empty()) use.notes = {NoSeasonsOf(unused, "no method that is weighted takes it")};
  return use;
}

std::string WeightsInWords(const Candidates& candidates, std::span<const double> weights) {
  std::string text;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] < kWeightLeast) continue;
    text += fmt::format("{}{:.0f}% {}", text.empty() ? "" : ", ", 100 * weights[i],
                        candidates.scored[i].method);
  }
  return text;
}

}  // namespace berth
