// How likely differences are under a SARIMA order, as functions of unbounded variables: each is the
// inverse hyperbolic tangent of a partial autocorrelation, so that every process is stationary and
// can be inverted.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "forecast/sarima.h"

namespace berth {

// In the order p, q, seasonal p, seasonal q.
SarimaCoefficients CoefficientsAt(std::span<const double> variables, const SarimaOrder& order);

// For these coefficients the best average, if the order has one, and the best variance.
struct SarimaMatch {
  double mean = 0;
  double variance = 0;
  double log_likelihood = 0;
};

// Given the first values and no error before: fast, and good enough to compare orders.
class ConditionalLikelihood {
 public:
  ConditionalLikelihood(std::span<const double> differences, const SarimaOrder& order)
      : differences_(differences), order_(order) {}
  SarimaMatch operator()(const SarimaCoefficients& coefficients) const;

 private:
  std::span<const double> differences_;
  SarimaOrder order_;
};

class ExactLikelihood {
 public:
  ExactLikelihood(std::span<const double> differences, const SarimaOrder& order)
      : differences_(differences), order_(order) {}
  SarimaMatch operator()(const SarimaCoefficients& coefficients) const;

 private:
  std::span<const double> differences_;
  SarimaOrder order_;
};

}  // namespace berth
