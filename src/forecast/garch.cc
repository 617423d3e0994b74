#include "forecast/garch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "forecast/nelder_mead.h"

namespace berth {
namespace {

constexpr double kSharesMax = 0.999;

double MeanSquaredError(std::span<const double> errors) {
  double sum = 0;
  for (const double error : errors) sum += error * error / static_cast<double>(errors.size());
  return sum;
}

// The variance of the error after the last.
double Followed(const GarchModel& model, std::span<const double> errors, double& likelihood) {
  double variance = MeanSquaredError(errors);
  likelihood = 0;
  for (const double error : errors) {
    likelihood += std::log(variance) + error * error / variance;
    variance = model.constant + model.of_square * error * error + model.of_variance * variance;
  }
  return variance;
}

// Unbounded variables: of both shares together, and of the square's part in them. The level is one.
GarchModel ModelAt(std::span<const double> variables) {
  const auto share = [](double variable) { return 1 / (1 + std::exp(-variable)); };
  const double together = kSharesMax * share(variables[0]);
  const double of_square = together * share(variables[1]);
  return {.constant = 1 - together, .of_square = of_square, .of_variance = together - of_square};
}

}  // namespace

std::vector<double> GarchModel::Variances(std::size_t horizon) const {
  std::vector<double> variances;
  variances.reserve(horizon);
  double distance = next - Level();
  for (std::size_t h = 0; h < horizon; ++h) {
    variances.push_back(Level() + distance);
    distance *= of_square + of_variance;
  }
  return variances;
}

double GarchLikelihood(const GarchModel& model, std::span<const double> errors) {
  double likelihood = 0;
  (void)Followed(model, errors, likelihood);
  return likelihood;
}

GarchModel FitGarch(std::span<const double> errors) {
  const double square = errors.empty() ? 0 : MeanSquaredError(errors);
  const GarchModel constant{.constant = square, .next = square};
  if (errors.size() < kGarchErrorsMin || !(square > 0)) return constant;
  // In units of their own size, so that steps and tolerance mean the same of all errors.
  std::vector<double> scaled;
  scaled.reserve(errors.size());
  for (const double error : errors) scaled.push_back(error / std::sqrt(square));
  const auto value = [&](std::span<const double> variables) {
    const double likelihood = GarchLikelihood(ModelAt(variables), scaled);
    return std::isfinite(likelihood) ? likelihood : std::numeric_limits<double>::infinity();
  };
  const std::vector<double> steps = {1, 1};
  // From shares of 0.9 and 0.5 together: the likelihood may have two peaks.
  Minimum best{.at = {}, .value = std::numeric_limits<double>::infinity()};
  for (const double together : {2.2, 0.0}) {
    const Minimum found =
        Minimise(value, {together, -2.2}, steps, {.evaluations_max = 2'000, .tolerance = 1e-9});
    if (found.value < best.value) best = found;
  }
  // Two numbers must be worth it (AIC), otherwise the variance is one.
  if (!(best.value + 4 < GarchLikelihood({.constant = 1}, scaled))) return constant;
  GarchModel model = ModelAt(best.at);
  double likelihood = 0;
  model.next = square * Followed(model, scaled, likelihood);
  model.constant *= square;
  return model;
}

}  // namespace berth
