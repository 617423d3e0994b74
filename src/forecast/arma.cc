#include "forecast/arma.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace berth {
namespace {

// Four sums side by side: one would wait for each addition before the next.
double InnerProduct(const double* a, const double* b, std::size_t count) {
  double sums[4] = {0, 0, 0, 0};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += a[i + k] * b[i + k];
  }
  for (; i < count; ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// The coefficient of the error j steps ago: that of the present one is one.
double MovingPart(const ArmaProcess& process, std::size_t j) {
  if (j == 0) return 1;
  return j <= process.ma.size() ? process.ma[j - 1] : 0;
}

// E x(t) (moving average at t+k), k = 0, 1, ..., and E (moving average)(t+k) x(t) alike.
std::vector<double> CrossCovariances(const ArmaProcess& process) {
  const std::size_t order = process.ma.size();
  const std::vector<double> responses = ErrorResponses(process, order + 1);
  std::vector<double> cross(order + 1, 0);
  for (std::size_t k = 0; k <= order; ++k) {
    for (std::size_t j = k; j <= order; ++j) cross[k] += MovingPart(process, j) * responses[j - k];
  }
  return cross;
}

}  // namespace

std::vector<double> ErrorResponses(const ArmaProcess& process, std::size_t count) {
  std::vector<double> responses(count);
  for (std::size_t j = 0; j < count; ++j) {
    responses[j] = MovingPart(process, j);
    for (std::size_t i = 1; i <= std::min(j, process.ar.size()); ++i) {
      responses[j] += process.ar[i - 1] * responses[j - i];
    }
  }
  return responses;
}

std::vector<double> Autocovariances(const ArmaProcess& process, std::size_t count) {
  const std::size_t order = process.ar.size();
  const std::vector<double> cross = CrossCovariances(process);
  const auto moving = [&](std::size_t k) { return k < cross.size() ? cross[k] : 0; };
  const auto size = static_cast<Eigen::Index>(order + 1);
  Eigen::MatrixXd equations = Eigen::MatrixXd::Identity(size, size);
  Eigen::VectorXd right(size);
  for (std::size_t k = 0; k <= order; ++k) {
    right(static_cast<Eigen::Index>(k)) = moving(k);
    for (std::size_t i = 1; i <= order; ++i) {
      const std::size_t lag = k > i ? k - i : i - k;
      equations(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(lag)) -= process.ar[i - 1];
    }
  }
  const Eigen::VectorXd solved = equations.partialPivLu().solve(right);
  std::vector<double> covariances(solved.begin(), solved.end());
  covariances.reserve(std::max(count, order + 1));
  for (std::size_t k = order + 1; k < count; ++k) {
    double next = moving(k);
    for (std::size_t i = 1; i <= order; ++i) next += process.ar[i - 1] * covariances[k - i];
    covariances.push_back(next);
  }
  covariances.resize(count);
  return covariances;
}

ArmaFactor::ArmaFactor(const ArmaProcess& process, std::size_t rows)
    : process_(process),
      head_(std::min(rows, std::max(process.ar.size(), process.ma.size()))),
      values_(Autocovariances(process, head_ + 1)),
      values_averages_(CrossCovariances(process)) {
  const std::size_t band = process.ma.size();
  for (std::size_t k = 0; k <= band; ++k) {
    double sum = 0;
    for (std::size_t j = k; j <= band; ++j) {
      sum += MovingPart(process, j) * MovingPart(process, j - k);
    }
    averages_.push_back(sum);
  }
  std::size_t size = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    first_.push_back(row < head_ || row < band ? 0 : row - band);
    begin_.push_back(size);
    size += row - first_[row] + 1;
  }
  factor_.resize(size);
  for (std::size_t row = 0; row < rows; ++row) FactorRow(row);
}

double ArmaFactor::Covariance(std::size_t row, std::size_t column) const {
  const std::size_t distance = row - column;
  if (row < head_) return values_[distance];
  const std::vector<double>& by_distance = column < head_ ? values_averages_ : averages_;
  return distance < by_distance.size() ? by_distance[distance] : 0;
}

void ArmaFactor::FactorRow(std::size_t row) {
  const std::size_t first = first_[row];
  double* const own = factor_.data() + begin_[row];
  for (std::size_t column = first; column < row; ++column) {
    const double* const other = factor_.data() + begin_[column];
    const std::size_t from = std::max(first, first_[column]);
    const double known =
        InnerProduct(own + (from - first), other + (from - first_[column]), column - from);
    own[column - first] = (Covariance(row, column) - known) / other[column - first_[column]];
  }
  const double left = Covariance(row, row) - InnerProduct(own, own, row - first);
  // An error of the present is part of every value: less is rounding.
  own[row - first] = std::sqrt(std::max(left, 1e-12));
}

double ArmaFactor::WithoutRegression(std::span<const double> values, std::size_t row) const {
  double rest = values[row];
  if (row < head_) return rest;
  for (std::size_t i = 1; i <= process_.ar.size(); ++i) {
    rest -= process_.ar[i - 1] * values[row - i];
  }
  return rest;
}

std::vector<double> ArmaFactor::Whiten(std::span<const double> values) const {
  std::vector<double> white(values.size());
  for (std::size_t row = 0; row < values.size(); ++row) {
    const std::size_t first = first_[row];
    const double* const own = factor_.data() + begin_[row];
    const double known = InnerProduct(own, white.data() + first, row - first);
    white[row] = (WithoutRegression(values, row) - known) / own[row - first];
  }
  return white;
}

double ArmaFactor::LogDeterminant(std::size_t rows) const {
  double sum = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    sum += 2 * std::log(factor_[begin_[row] + row - first_[row]]);
  }
  return sum;
}

std::size_t ArmaFactor::RowsAhead(const ArmaProcess& process, std::size_t values) {
  const std::size_t head = std::max(process.ar.size(), process.ma.size());
  return std::max(process.ma.size(), head > values ? head - values : 0);
}

std::vector<double> ArmaFactor::Forecast(std::span<const double> values,
                                         std::size_t horizon) const {
  const std::vector<double> white = Whiten(values);
  std::vector<double> path(values.begin(), values.end());
  for (std::size_t h = 0; h < horizon; ++h) {
    const std::size_t row = values.size() + h;
    double next = 0;
    if (row < first_.size() && first_[row] < white.size()) {
      next = InnerProduct(factor_.data() + begin_[row], white.data() + first_[row],
                          white.size() - first_[row]);
    }
    if (row >= head_) {
      for (std::size_t i = 1; i <= process_.ar.size(); ++i) {
        next += process_.ar[i - 1] * path[row - i];
      }
    }
    path.push_back(next);
  }
  path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(values.size()));
  return path;
}

}  // namespace berth
