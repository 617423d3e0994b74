// Autoregressive moving-average processes: x(t) = sum ar(i) x(t-i) + e(t) + sum ma(j) e(t-j), with
// errors of variance one; their exact likelihood and their best forecasts.
//
// The way is that of Ansley (1979): past the first values, x minus its autoregression is a moving
// average, whose covariance is a narrow band, so its Cholesky factor costs rows times band squared.
// The likelihood is that of a Kalman filter, without the covariance of a state that a season makes
// 24 and more values long.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace berth {

struct ArmaProcess {
  std::vector<double> ar{};  // The first is of lag one.
  std::vector<double> ma{};
};

// What an error of one adds to the value j steps later, j = 0, 1, ...
std::vector<double> ErrorResponses(const ArmaProcess& process, std::size_t count);

// Of lags 0, 1, ... The process is stationary.
std::vector<double> Autocovariances(const ArmaProcess& process, std::size_t count);

// The factor of the covariance of `rows` values after each other.
class ArmaFactor {
 public:
  ArmaFactor(const ArmaProcess& process, std::size_t rows);

  // The values as independent errors of variance one. At most as many as rows.
  std::vector<double> Whiten(std::span<const double> values) const;
  // Of the covariance of so many.
  double LogDeterminant(std::size_t rows) const;
  // What is expected of the `horizon` values that come next; there must be rows for the moving
  // average to reach into them.
  std::vector<double> Forecast(std::span<const double> values, std::size_t horizon) const;
  // How many rows a forecast needs beside those of the values.
  static std::size_t RowsAhead(const ArmaProcess& process, std::size_t values);

 private:
  double WithoutRegression(std::span<const double> values, std::size_t row) const;
  double Covariance(std::size_t row, std::size_t column) const;
  void FactorRow(std::size_t row);

  ArmaProcess process_;
  std::size_t head_;                     // So many rows are the values themselves.
  std::vector<double> values_;           // Covariances of values,
  std::vector<double> values_averages_;  // of values with the moving average later than they,
  std::vector<double> averages_;         // of moving averages; by distance.
  std::vector<std::size_t> first_;       // The first column of each row that is not zero.
  std::vector<std::size_t> begin_;       // Where each row is in `factor_`.
  std::vector<double> factor_;
};

}  // namespace berth
