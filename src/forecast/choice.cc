#include "forecast/choice.h"

#include <algorithm>
#include <cmath>

#include "base/quantiles.h"
#include "forecast/scoring.h"

namespace berth {
namespace {

constexpr double kStretchQuantile = 0.975;
constexpr double kStretchLeast = 0.5;
constexpr double kStretchMost = 2.5;
constexpr double kStretchPower = 0.25;

// Of the band of the points from `begin` to `end`.
double ScoreWithin(const Forecast& foreseen, std::span<const double> actual, std::size_t begin,
                   std::size_t end) {
  const ForecastBand& band = foreseen.bands.front();
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    sum += IntervalScore(band.lower[i], band.upper[i], actual[i], band.level);
  }
  return sum / static_cast<double>(end - begin);
}

std::vector<double> WeightsWithin(const Candidates& candidates, std::span<const double> actual,
                                  std::size_t begin, std::size_t end) {
  std::vector<double> scores;
  scores.reserve(candidates.scored.size());
  for (const ScoredCandidate& one : candidates.scored) {
    scores.push_back(ScoreWithin(one.held_out, actual, begin, end));
  }
  return WeightsOf(scores);
}

Forecast MixOfEnd(const Candidates& candidates, std::span<const double> weights) {
  std::vector<Forecast> foreseen;
  foreseen.reserve(candidates.scored.size());
  for (const ScoredCandidate& one : candidates.scored) foreseen.push_back(one.held_out);
  return Weighed(foreseen, weights);
}

// Weights of the very points that are scored would flatter the mean.
double MixScore(const Candidates& candidates, std::span<const double> actual) {
  const std::size_t n = actual.size();
  const std::size_t half = n / 2;
  if (half == 0) {
    return ScoreWithin(MixOfEnd(candidates, WeightsWithin(candidates, actual, 0, n)), actual, 0, n);
  }
  const Forecast first = MixOfEnd(candidates, WeightsWithin(candidates, actual, half, n));
  const Forecast second = MixOfEnd(candidates, WeightsWithin(candidates, actual, 0, half));
  return (ScoreWithin(first, actual, 0, half) + ScoreWithin(second, actual, half, n)) / 2;
}

}  // namespace

double StretchFor(const Forecast& foreseen, std::span<const double> actual) {
  const ForecastBand& band = foreseen.bands.front();
  std::vector<double> needed;
  needed.reserve(actual.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double distance = std::abs(actual[i] - foreseen.mean[i]);
    const double width = actual[i] >= foreseen.mean[i] ? band.upper[i] - foreseen.mean[i]
                                                       : foreseen.mean[i] - band.lower[i];
    // A band without width holds its mean only.
    needed.push_back(distance > kStretchMost * width ? kStretchMost
                     : distance == 0                 ? 0
                                                     : distance / width);
  }
  const double factor = Quantile(std::move(needed), kStretchQuantile);
  return std::pow(std::clamp(factor, kStretchLeast, kStretchMost), kStretchPower);
}

void StretchBands(Forecast& forecast, double factor) {
  for (ForecastBand& band : forecast.bands) {
    for (std::size_t h = 0; h < forecast.mean.size(); ++h) {
      band.lower[h] = forecast.mean[h] - factor * (forecast.mean[h] - band.lower[h]);
      band.upper[h] = forecast.mean[h] + factor * (band.upper[h] - forecast.mean[h]);
    }
  }
}

Choice ChooseAmong(const Candidates& candidates, std::span<const double> actual) {
  Choice choice{.mix_score = MixScore(candidates, actual)};
  const auto best =
      std::ranges::min_element(candidates.scored, {}, &ScoredCandidate::interval_score);
  if (best->interval_score < kDecisiveShare * choice.mix_score || candidates.scored.size() == 1) {
    choice.single = static_cast<std::size_t>(best - candidates.scored.begin());
    choice.weights.assign(candidates.scored.size(), 0);
    choice.weights[*choice.single] = 1;
    choice.stretch = StretchFor(best->held_out, actual);
  } else {
    choice.weights = WeightsWithin(candidates, actual, 0, actual.size());
    choice.stretch = StretchFor(MixOfEnd(candidates, choice.weights), actual);
  }
  return choice;
}

}  // namespace berth
