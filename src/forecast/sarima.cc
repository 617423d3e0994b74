#include "forecast/sarima.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace berth {
namespace {

// 1 + sum c(i) B^(i lag), as coefficients from B^0 on.
std::vector<double> PolynomialOf(std::span<const double> coefficients, std::size_t lag,
                                 double sign) {
  std::vector<double> polynomial = {1};
  for (const double coefficient : coefficients) {
    polynomial.resize(polynomial.size() + lag - 1, 0);
    polynomial.push_back(sign * coefficient);
  }
  return polynomial;
}

std::vector<double> Product(std::span<const double> a, std::span<const double> b) {
  std::vector<double> product(a.size() + b.size() - 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) product[i + j] += a[i] * b[j];
  }
  return product;
}

// Without the one that it begins with.
std::vector<double> Lagged(std::vector<double> polynomial, double sign) {
  polynomial.erase(polynomial.begin());
  for (double& coefficient : polynomial) coefficient *= sign;
  return polynomial;
}

}  // namespace

std::vector<double> DifferencePolynomial(const SarimaOrder& order) {
  constexpr double kOne[] = {1};
  std::vector<double> polynomial = {1};
  for (std::size_t i = 0; i < order.d; ++i) {
    polynomial = Product(polynomial, PolynomialOf(kOne, 1, -1));
  }
  for (std::size_t i = 0; i < order.seasonal_d; ++i) {
    polynomial = Product(polynomial, PolynomialOf(kOne, order.period, -1));
  }
  return polynomial;
}

std::string ToString(const SarimaOrder& order) {
  std::string text = fmt::format("ARIMA({},{},{})", order.p, order.d, order.q);
  if (order.period > 1) {
    text += fmt::format("({},{},{})[{}]", order.seasonal_p, order.seasonal_d, order.seasonal_q,
                        order.period);
  }
  if (order.constant) text += order.d + order.seasonal_d > 0 ? " with drift" : " with mean";
  return text;
}

ArmaProcess Multiplied(const SarimaCoefficients& coefficients, std::size_t period) {
  return {.ar = Lagged(Product(PolynomialOf(coefficients.ar, 1, -1),
                               PolynomialOf(coefficients.seasonal_ar, period, -1)),
                       -1),
          .ma = Lagged(Product(PolynomialOf(coefficients.ma, 1, 1),
                               PolynomialOf(coefficients.seasonal_ma, period, 1)),
                       1)};
}

std::vector<double> Differences(std::span<const double> values, std::size_t lag) {
  std::vector<double> differences;
  for (std::size_t i = lag; i < values.size(); ++i) {
    differences.push_back(values[i] - values[i - lag]);
  }
  return differences;
}

std::vector<double> Differenced(std::span<const double> values, const SarimaOrder& order) {
  std::vector<double> rest(values.begin(), values.end());
  for (std::size_t i = 0; i < order.seasonal_d; ++i) rest = Differences(rest, order.period);
  for (std::size_t i = 0; i < order.d; ++i) rest = Differences(rest, 1);
  return rest;
}

std::vector<double> SarimaModel::Means(std::span<const double> values, std::size_t horizon) const {
  std::vector<double> differences = Differenced(values, order);
  for (double& value : differences) value -= mean;
  const ArmaProcess process = Multiplied(coefficients, order.period);
  const std::size_t ahead = std::min(horizon, ArmaFactor::RowsAhead(process, differences.size()));
  const ArmaFactor factor(process, differences.size() + ahead);
  const std::vector<double> foreseen = factor.Forecast(differences, horizon);
  const std::vector<double> polynomial = DifferencePolynomial(order);
  std::vector<double> path(values.begin(), values.end());
  for (const double difference : foreseen) {
    double next = mean + difference;
    for (std::size_t i = 1; i < polynomial.size(); ++i) {
      next -= polynomial[i] * path[path.size() - i];
    }
    path.push_back(next);
  }
  return {path.end() - static_cast<std::ptrdiff_t>(horizon), path.end()};
}

std::vector<double> SarimaModel::Deviations(std::size_t horizon) const {
  ArmaProcess process = Multiplied(coefficients, order.period);
  process.ar = Lagged(Product(PolynomialOf(process.ar, 1, -1), DifferencePolynomial(order)), -1);
  std::vector<double> deviations;
  double squares = 0;
  for (const double response : ErrorResponses(process, horizon)) {
    squares += response * response;
    deviations.push_back(std::sqrt(variance * squares));
  }
  return deviations;
}

}  // namespace berth
