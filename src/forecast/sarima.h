// Seasonal autoregressive integrated moving averages (Box and Jenkins): differences of a series,
// from point to point and from season to season, as an ARMA process whose polynomials are a product
// of one in points and one in seasons. Written ARIMA(p,d,q)(P,D,Q)[season].
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "forecast/arma.h"

namespace berth {

struct SarimaOrder {
  std::size_t p = 0;
  std::size_t d = 0;
  std::size_t q = 0;
  std::size_t seasonal_p = 0;
  std::size_t seasonal_d = 0;
  std::size_t seasonal_q = 0;
  std::size_t period = 1;  // One without a season.
  bool constant = false;   // The differences have an average.

  std::size_t coefficients() const { return p + q + seasonal_p + seasonal_q; }
  std::size_t lost() const { return d + seasonal_d * period; }  // Points, to the differences.
  // How far back the process looks.
  std::size_t ar_reach() const { return p + seasonal_p * period; }
  std::size_t ma_reach() const { return q + seasonal_q * period; }

  friend bool operator==(const SarimaOrder&, const SarimaOrder&) = default;
};
std::string ToString(const SarimaOrder& order);
// (1 - B)^d (1 - B^period)^D, the coefficient of lag zero first.
std::vector<double> DifferencePolynomial(const SarimaOrder& order);

// Of lags one, two, ... points or seasons; the signs are those of ArmaProcess.
struct SarimaCoefficients {
  std::vector<double> ar{};
  std::vector<double> ma{};
  std::vector<double> seasonal_ar{};
  std::vector<double> seasonal_ma{};
};
ArmaProcess Multiplied(const SarimaCoefficients& coefficients, std::size_t period);

std::vector<double> Differences(std::span<const double> values, std::size_t lag);
// All that the order says.
std::vector<double> Differenced(std::span<const double> values, const SarimaOrder& order);

struct SarimaModel {
  SarimaOrder order{};
  SarimaCoefficients coefficients{};
  double mean = 0;      // Of the differences.
  double variance = 0;  // Of an error.

  // What comes after `values`, which are more than the differences lose.
  std::vector<double> Means(std::span<const double> values, std::size_t horizon) const;
  std::vector<double> Deviations(std::size_t horizon) const;
};

}  // namespace berth
