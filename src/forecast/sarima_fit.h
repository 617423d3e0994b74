// SARIMA models fitted to values, and the choice among them.
//
// The choice is the stepwise one of Hyndman and Khandakar (2008), as in R's auto.arima: differences
// by the strength of the season and by the test of Kwiatkowski et al., orders by AICc. Candidates
// are compared by their conditional sum of squares, the chosen one is fitted by exact likelihood.
// Unlike there, a seasonal polynomial counts as too near a unit root by its own roots, in seasons:
// in points those of any strong daily season are.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "forecast/sarima.h"

namespace berth {

struct SarimaLimits {
  std::size_t p = 5;
  std::size_t d = 2;
  std::size_t q = 5;
  std::size_t seasonal_p = 2;
  std::size_t seasonal_d = 1;
  std::size_t seasonal_q = 2;
  bool constant = true;  // Where there are less than two differences.
};

struct SarimaFitted {
  SarimaModel model{};
  double log_likelihood = 0;
  double aicc = 0;
};

// By exact likelihood, from where the conditional sum of squares is least. None if there are too
// few values for so many coefficients.
std::optional<SarimaFitted> FitSarima(std::span<const double> values, const SarimaOrder& order);

// `period` is one for no season. At least three values.
SarimaFitted SelectSarima(std::span<const double> values, std::size_t period,
                          const SarimaLimits& limits);

}  // namespace berth
