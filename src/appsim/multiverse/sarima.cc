#include "appsim/multiverse/sarima.h"

#include <cmath>
#include <span>

namespace berth::multiverse {
namespace {

// 1 + c1 B + c2 B^2 ... as coefficients of powers of the lag operator B.
using LagPolynomial = std::vector<double>;

LagPolynomial FromTerms(std::span<const double> terms, std::size_t lag, double sign) {
  LagPolynomial polynomial(terms.size() * lag + 1, 0.0);
  polynomial[0] = 1;
  for (std::size_t i = 0; i < terms.size(); ++i) polynomial[(i + 1) * lag] = sign * terms[i];
  return polynomial;
}

LagPolynomial Times(const LagPolynomial& a, const LagPolynomial& b) {
  LagPolynomial product(a.size() + b.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) product[i + j] += a[i] * b[j];
  }
  return product;
}

// The sum of coefficient k times the value k before `at`, for k from 1.
double Lagged(const LagPolynomial& polynomial, const std::vector<double>& values, std::size_t at) {
  double sum = 0;
  for (std::size_t k = 1; k < polynomial.size() && k <= at; ++k) {
    sum += polynomial[k] * values[at - k];
  }
  return sum;
}

}  // namespace

std::vector<double> DrawSarimaPath(const SarimaSpec& spec, std::size_t points, Rng& rng) {
  std::span<const double> left(spec.coefficients);
  const auto take = [&](std::size_t count) {
    const std::span<const double> taken = left.first(count);
    left = left.subspan(count);
    return taken;
  };
  const double constant = spec.trend.find('c') != std::string::npos ? take(1)[0] : 0;
  const double slope = spec.trend.find('t') != std::string::npos ? take(1)[0] : 0;
  LagPolynomial regressive = FromTerms(take(spec.p), 1, -1);
  LagPolynomial average = FromTerms(take(spec.q), 1, 1);
  regressive = Times(regressive, FromTerms(take(spec.seasonal_p), spec.period, -1));
  average = Times(average, FromTerms(take(spec.seasonal_q), spec.period, 1));
  const std::vector<double> one = {1.0};
  for (std::size_t i = 0; i < spec.d; ++i) regressive = Times(regressive, FromTerms(one, 1, -1));
  for (std::size_t i = 0; i < spec.seasonal_d; ++i) {
    regressive = Times(regressive, FromTerms(one, spec.period, -1));
  }
  const double deviation = std::sqrt(left[0]);
  std::vector<double> shocks(points, 0.0);
  std::vector<double> path(points, 0.0);
  for (std::size_t t = 0; t < points; ++t) {
    shocks[t] = deviation * rng.Normal();
    const double trend = constant + slope * static_cast<double>(t + 1);
    path[t] = trend + shocks[t] + Lagged(average, shocks, t) - Lagged(regressive, path, t);
  }
  return path;
}

}  // namespace berth::multiverse
