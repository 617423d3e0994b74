#include "forecast/arma.h"

#include <gtest/gtest.h>

#include <cmath>

#include "berth/rng.h"
#include "forecast/sarima_likelihood.h"

namespace berth {
namespace {

using Matrix = std::vector<std::vector<double>>;

// The slow and obvious way: covariances as sums over a long past, and a whole matrix of them.
double SlowCovariance(const ArmaProcess& process, std::size_t lag) {
  const std::vector<double> responses = ErrorResponses(process, 3'000);
  double sum = 0;
  for (std::size_t j = lag; j < responses.size(); ++j) sum += responses[j] * responses[j - lag];
  return sum;
}

Matrix SlowFactor(const ArmaProcess& process, std::size_t rows) {
  std::vector<double> covariances;
  for (std::size_t lag = 0; lag < rows; ++lag) covariances.push_back(SlowCovariance(process, lag));
  Matrix factor(rows, std::vector<double>(rows, 0));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double left = covariances[i - j];
      for (std::size_t k = 0; k < j; ++k) left -= factor[i][k] * factor[j][k];
      factor[i][j] = i == j ? std::sqrt(left) : left / factor[j][j];
    }
  }
  return factor;
}

std::vector<double> SlowWhiten(const Matrix& factor, std::span<const double> values) {
  std::vector<double> white;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double left = values[i];
    for (std::size_t j = 0; j < i; ++j) left -= factor[i][j] * white[j];
    white.push_back(left / factor[i][i]);
  }
  return white;
}

ArmaProcess RandomProcess(Rng& rng) {
  const SarimaOrder order{.p = rng.Below(4),
                          .q = rng.Below(4),
                          .seasonal_p = rng.Below(2),
                          .seasonal_q = rng.Below(3),
                          .period = 5};
  std::vector<double> at;
  for (std::size_t i = 0; i < order.coefficients(); ++i) at.push_back(rng.Unit() - 0.5);
  return Multiplied(CoefficientsAt(at, order), order.period);
}

TEST(Arma, CovariancesByHand) {
  // AR(1) of 0.5: 1 / (1 - 0.25), halved with every lag.
  EXPECT_NEAR(Autocovariances({.ar = {0.5}}, 3)[0], 4.0 / 3, 1e-12);
  EXPECT_NEAR(Autocovariances({.ar = {0.5}}, 3)[2], 1.0 / 3, 1e-12);
  // MA(1) of 0.5: 1 + 0.25, 0.5 and nothing.
  EXPECT_EQ(Autocovariances({.ma = {0.5}}, 3), (std::vector<double>{1.25, 0.5, 0}));
}

TEST(Arma, ResponsesByHand) {
  EXPECT_EQ(ErrorResponses({.ar = {0.5}, .ma = {1}}, 4),
            (std::vector<double>{1, 1.5, 0.75, 0.375}));
}

TEST(Arma, IsWhatTheWholeMatrixSays) {
  Rng rng(9);
  for (int round = 0; round < 25; ++round) {
    const ArmaProcess process = RandomProcess(rng);
    // At times fewer than the process looks back.
    const std::size_t count = 3 + rng.Below(40);
    constexpr std::size_t kAhead = 20;
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(rng.Normal());
    const Matrix slow = SlowFactor(process, count + kAhead);
    const ArmaFactor fast(process, count + ArmaFactor::RowsAhead(process, count));

    const std::vector<double> white = SlowWhiten(slow, values);
    const std::vector<double> found = fast.Whiten(values);
    double squares = 0, found_squares = 0, determinant = 0;
    for (std::size_t i = 0; i < count; ++i) {
      squares += white[i] * white[i];
      found_squares += found[i] * found[i];
      determinant += 2 * std::log(slow[i][i]);
    }
    EXPECT_NEAR(found_squares, squares, 1e-6 * squares);
    EXPECT_NEAR(fast.LogDeterminant(count), determinant, 1e-6);

    const std::vector<double> forecast = fast.Forecast(values, kAhead);
    for (std::size_t h = 0; h < kAhead; ++h) {
      double expected = 0;
      for (std::size_t j = 0; j < count; ++j) expected += slow[count + h][j] * white[j];
      EXPECT_NEAR(forecast[h], expected, 1e-6) << "round " << round << " step " << h;
    }
  }
}

}  // namespace
}  // namespace berth
