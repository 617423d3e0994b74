#include "forecast/ssa.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace berth {
namespace {

// Sums of products of all windows' i-th and j-th values. Along a diagonal the next one loses a
// product and gains one.
Eigen::MatrixXd WindowProducts(std::span<const double> values, std::size_t window) {
  const std::size_t count = values.size() - window + 1;
  const auto size = static_cast<Eigen::Index>(window);
  Eigen::MatrixXd products(size, size);
  for (std::size_t lag = 0; lag < window; ++lag) {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += values[k] * values[k + lag];
    for (std::size_t i = 0; i + lag < window; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const auto column = static_cast<Eigen::Index>(i + lag);
      products(row, column) = products(column, row) = sum;
      if (i + lag + 1 == window) break;
      sum += values[i + count] * values[i + lag + count] - values[i] * values[i + lag];
    }
  }
  return products;
}

}  // namespace

SsaBasis::SsaBasis(std::span<const double> values, std::size_t window, std::size_t components_max)
    : window_(window) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(WindowProducts(values, window));
  const auto size = static_cast<Eigen::Index>(window);
  const double all = std::max(solver.eigenvalues().sum(), 0.0);
  double held = 0;
  for (Eigen::Index i = 0; i < std::min(size, static_cast<Eigen::Index>(components_max)); ++i) {
    // Ascending; what is left below this is rounding.
    const double value = solver.eigenvalues()(size - 1 - i);
    if (!(value > 1e-12 * all)) break;
    const auto vector = solver.eigenvectors().col(size - 1 - i);
    vectors_.emplace_back(vector.begin(), vector.end());
    held += value;
    shares_.push_back(held / all);
  }
}

double SsaBasis::Share(std::size_t components) const {
  return components == 0 ? 0 : shares_[components - 1];
}

std::vector<double> SsaBasis::Recurrence(std::size_t components) const {
  std::vector<double> coefficients(window_ - 1, 0);
  double verticality = 0;
  for (std::size_t i = 0; i < components; ++i) {
    const double last = vectors_[i].back();
    verticality += last * last;
    for (std::size_t j = 0; j + 1 < window_; ++j) coefficients[j] += last * vectors_[i][j];
  }
  if (verticality > 1 - 1e-9) return {};
  for (double& coefficient : coefficients) coefficient /= 1 - verticality;
  return coefficients;
}

std::vector<double> SsaBasis::Projected(std::span<const double> window,
                                        std::size_t components) const {
  std::vector<double> projected(window_, 0);
  for (std::size_t i = 0; i < components; ++i) {
    double along = 0;
    for (std::size_t j = 0; j < window_; ++j) along += vectors_[i][j] * window[j];
    for (std::size_t j = 0; j < window_; ++j) projected[j] += along * vectors_[i][j];
  }
  return projected;
}

std::vector<double> Continued(std::span<const double> history, std::span<const double> recurrence,
                              std::size_t horizon) {
  std::vector<double> path(history.end() - static_cast<std::ptrdiff_t>(recurrence.size()),
                           history.end());
  // It may grow without end; so far out it has long left what the caller accepts.
  constexpr double kFar = 1e120;
  for (std::size_t h = 0; h < horizon; ++h) {
    double next = 0;
    for (std::size_t j = 0; j < recurrence.size(); ++j) next += recurrence[j] * path[h + j];
    path.push_back(std::clamp(next, -kFar, kFar));
  }
  path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(recurrence.size()));
  return path;
}

}  // namespace berth
