#include "forecast/sarima_likelihood.h"

#include <cmath>
#include <numbers>

namespace berth {
namespace {

// The recursion of Durbin and Levinson, from partial autocorrelations to coefficients.
std::vector<double> FromPartial(std::span<const double> variables) {
  std::vector<double> coefficients;
  for (const double variable : variables) {
    const double partial = std::tanh(variable);
    const std::vector<double> before = coefficients;
    for (std::size_t i = 0; i < before.size(); ++i) {
      coefficients[i] -= partial * before[before.size() - 1 - i];
    }
    coefficients.push_back(partial);
  }
  return coefficients;
}

struct LagTerm {
  std::size_t lag;
  double coefficient;
};
// A product of polynomials is mostly zeros.
std::vector<LagTerm> Terms(std::span<const double> coefficients) {
  std::vector<LagTerm> terms;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    if (coefficients[i] != 0) terms.push_back({i + 1, coefficients[i]});
  }
  return terms;
}

// Errors from the first on that has the whole autoregression before it.
std::vector<double> ConditionalErrors(std::span<const double> values, const ArmaProcess& process) {
  const std::vector<LagTerm> ar = Terms(process.ar);
  const std::vector<LagTerm> ma = Terms(process.ma);
  const std::size_t begin = process.ar.size();
  const std::size_t zeros = process.ma.size();  // Errors before the first.
  std::vector<double> errors(zeros + values.size() - begin, 0);
  for (std::size_t t = begin; t < values.size(); ++t) {
    double error = values[t];
    for (const LagTerm& term : ar) error -= term.coefficient * values[t - term.lag];
    const std::size_t at = zeros + t - begin;
    for (const LagTerm& term : ma) error -= term.coefficient * errors[at - term.lag];
    errors[at] = error;
  }
  errors.erase(errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(zeros));
  return errors;
}

double Dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Errors are linear in the values: those of the average's own are taken off so often as is best.
SarimaMatch Matched(std::span<const double> errors, std::span<const double> of_ones) {
  SarimaMatch match;
  const double ones = Dot(of_ones, of_ones);
  if (ones > 0) match.mean = Dot(errors, of_ones) / ones;
  // What is left, squared: squares less squares would lose it beside a large average.
  double squares = 0;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double left = ones > 0 ? errors[i] - match.mean * of_ones[i] : errors[i];
    squares += left * left;
  }
  match.variance = squares / static_cast<double>(errors.size());
  return match;
}

double LogLikelihood(double variance, std::size_t points, double log_determinant) {
  const auto n = static_cast<double>(points);
  return -(n * (std::log(2 * std::numbers::pi * std::max(variance, 1e-300)) + 1) +
           log_determinant) /
         2;
}

}  // namespace

SarimaCoefficients CoefficientsAt(std::span<const double> variables, const SarimaOrder& order) {
  SarimaCoefficients coefficients;
  const auto take = [&](std::size_t count, double sign) {
    std::vector<double> taken = FromPartial(variables.first(count));
    for (double& coefficient : taken) coefficient *= sign;
    variables = variables.subspan(count);
    return taken;
  };
  coefficients.ar = take(order.p, 1);
  coefficients.ma = take(order.q, -1);
  coefficients.seasonal_ar = take(order.seasonal_p, 1);
  coefficients.seasonal_ma = take(order.seasonal_q, -1);
  return coefficients;
}

SarimaMatch ConditionalLikelihood::operator()(const SarimaCoefficients& coefficients) const {
  const ArmaProcess process = Multiplied(coefficients, order_.period);
  const std::vector<double> errors = ConditionalErrors(differences_, process);
  std::vector<double> of_ones;
  if (order_.constant) {
    of_ones = ConditionalErrors(std::vector<double>(differences_.size(), 1), process);
  }
  SarimaMatch match = Matched(errors, of_ones);
  // As if all points had errors like those that have one.
  match.log_likelihood = LogLikelihood(match.variance, differences_.size(), 0);
  return match;
}

SarimaMatch ExactLikelihood::operator()(const SarimaCoefficients& coefficients) const {
  const ArmaFactor factor(Multiplied(coefficients, order_.period), differences_.size());
  const std::vector<double> errors = factor.Whiten(differences_);
  std::vector<double> of_ones;
  if (order_.constant) of_ones = factor.Whiten(std::vector<double>(differences_.size(), 1));
  SarimaMatch match = Matched(errors, of_ones);
  match.log_likelihood = LogLikelihood(match.variance, differences_.size(),
                                       factor.LogDeterminant(differences_.size()));
  return match;
}

}  // namespace berth
