#include "forecast/ets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace berth {
namespace {

// A multiplicative season is divided by, and so is the level.
double AwayFromZero(double value) {
  constexpr double kLeast = 1e-10;
  return std::abs(value) < kLeast ? std::copysign(kLeast, value) : value;
}

// phi + phi^2 + ... + phi^h: how many slopes the level gains in h steps.
std::vector<double> SlopesGained(const EtsModel& model, std::size_t horizon) {
  std::vector<double> gained;
  double power = 1;
  double sum = 0;
  for (std::size_t h = 0; h < horizon; ++h) {
    power *= model.weights.phi;
    sum += power;
    gained.push_back(model.form.trend == EtsTrend::kNone ? 0 : sum);
  }
  return gained;
}

// What an error of one adds to the mean j steps later, j = 1, 2, ...; without the season's part.
std::vector<double> Responses(const EtsModel& model, std::span<const double> gained) {
  std::vector<double> responses;
  for (const double slopes : gained) {
    responses.push_back(model.weights.alpha + model.weights.beta * slopes);
  }
  return responses;
}

// Errors in proportion to the forecast: the mean square of what is forecast is followed step by
// step. A season's factor scales it.
std::vector<double> ProportionalDeviations(const EtsModel& model, std::span<const double> gained,
                                           std::span<const double> responses) {
  const std::size_t horizon = gained.size();
  const double variance = model.variance;
  const bool factors = model.form.season == EtsSeason::kMultiplicative;
  std::vector<double> means = model.Means(horizon);
  if (factors) {
    for (std::size_t h = 0; h < horizon; ++h) {
      means[h] = model.state.level + gained[h] * model.state.slope;
    }
  }
  // They grow by a factor a step: so far out they have long left what anybody accepts.
  constexpr double kSquareMost = 1e240;
  std::vector<double> squares;
  squares.reserve(horizon);
  for (const double response : responses) squares.push_back(response * response);
  std::vector<double> mean_squares;
  mean_squares.reserve(horizon);
  std::vector<double> deviations;
  deviations.reserve(horizon);
  for (std::size_t h = 0; h < horizon; ++h) {
    const double sum =
        std::inner_product(mean_squares.rbegin(), mean_squares.rend(), squares.begin(), 0.0);
    // Kept apart: beside the square of the mean a small variance would be rounded off.
    const double of_errors = std::min(kSquareMost, variance * sum);
    const double of_mean = means[h] * means[h];
    mean_squares.push_back(std::min(kSquareMost, of_mean + of_errors));
    const double spread = variance * of_mean + (1 + variance) * of_errors;
    const std::vector<double>& season = model.state.season;
    const double scale = factors ? std::abs(season[(model.state.phase + h) % season.size()]) : 1;
    deviations.push_back(scale * std::sqrt(spread));
  }
  return deviations;
}

// No season is the reason of a value so far from what was expected. In an outage the level goes
// with the values and comes back; of a factor of a level near zero the next seasons would be many
// times what they are, and the level of those.
bool TellsOfFactors(double value, double expected) {
  constexpr double kTimesExpected = 4;
  return expected > 0 && value > expected / kTimesExpected && value < expected * kTimesExpected;
}

}  // namespace

std::string ToString(const EtsForm& form) {
  constexpr std::string_view kTrends[] = {"N", "A", "Ad"};
  constexpr std::string_view kSeasons[] = {"N", "A", "M"};
  return fmt::format("ETS({},{},{})", form.error == EtsError::kAdditive ? "A" : "M",
                     kTrends[static_cast<std::size_t>(form.trend)],
                     kSeasons[static_cast<std::size_t>(form.season)]);
}

double EtsModel::Next() const {
  const double base = state.level + weights.phi * state.slope;
  switch (form.season) {
    case EtsSeason::kNone:
      return base;
    case EtsSeason::kAdditive:
      return base + state.season[state.phase];
    case EtsSeason::kMultiplicative:
      return base * state.season[state.phase];
  }
  return base;
}

void EtsModel::Update(double value) {
  const double gamma = weights.gamma;
  if (form.season == EtsSeason::kMultiplicative && !TellsOfFactors(value, Next())) {
    weights.gamma = 0;
  }
  (void)Follow(*this, std::span(&value, 1), {});
  weights.gamma = gamma;
}

EtsFollowed Follow(EtsModel& model, std::span<const double> values, std::span<double> errors) {
  const auto [alpha, beta, gamma, phi] = model.weights;
  const EtsForm form = model.form;
  EtsState& state = model.state;
  EtsFollowed followed;
  double product = 1;  // Of forecasts, to take few logarithms.
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    const double base = state.level + phi * state.slope;
    double forecast = base;
    double wanted = value;  // Of the level.
    if (form.season == EtsSeason::kAdditive) {
      double& season = state.season[state.phase];
      forecast = base + season;
      wanted = value - season;
      season += gamma * (value - base - season);
    } else if (form.season == EtsSeason::kMultiplicative) {
      double& season = state.season[state.phase];
      forecast = base * season;
      wanted = value / AwayFromZero(season);
      season += gamma * (value / AwayFromZero(base) - season);
    }
    if (form.season != EtsSeason::kNone && ++state.phase == state.season.size()) state.phase = 0;
    state.level = base + alpha * (wanted - base);
    state.slope = phi * state.slope + beta * (wanted - base);
    double error = value - forecast;
    if (form.error == EtsError::kMultiplicative) {
      if (forecast <= 0) followed.sound = false;
      const double divisor = AwayFromZero(forecast);
      error /= divisor;
      product *= std::abs(divisor);
      if (product > 1e150 || product < 1e-150) {
        followed.logs += std::log(product);
        product = 1;
      }
    }
    followed.squares += error * error;
    if (!errors.empty()) errors[i] = error;
  }
  followed.logs += std::log(product);
  return followed;
}

std::vector<double> EtsModel::Means(std::size_t horizon) const {
  std::vector<double> means = SlopesGained(*this, horizon);
  for (std::size_t h = 0; h < horizon; ++h) {
    means[h] = state.level + means[h] * state.slope;
    if (form.season == EtsSeason::kNone) continue;
    const double season = state.season[(state.phase + h) % state.season.size()];
    means[h] = form.season == EtsSeason::kAdditive ? means[h] + season : means[h] * season;
  }
  return means;
}

std::vector<double> EtsModel::Deviations(std::size_t horizon) const {
  const std::vector<double> gained = SlopesGained(*this, horizon);
  std::vector<double> responses = Responses(*this, gained);
  // A factor answers in proportion, as the level does: to the first order they add up as well.
  if (form.season != EtsSeason::kNone) {
    const std::size_t period = state.season.size();
    for (std::size_t j = period; j <= horizon; j += period) responses[j - 1] += weights.gamma;
  }
  if (form.error == EtsError::kMultiplicative) {
    return ProportionalDeviations(*this, gained, responses);
  }
  std::vector<double> deviations;
  double sum = 1;
  for (std::size_t h = 0; h < horizon; ++h) {
    deviations.push_back(std::sqrt(variance * sum));
    sum += responses[h] * responses[h];
  }
  return deviations;
}

}  // namespace berth
