#include "forecast/distance_correlation.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace berth {
namespace {

// Distances within a series, in units of the farthest, from which row, column and overall averages
// are taken. With the bias corrected the averages are of two points fewer, and the diagonal is left
// out.
class CentredDistances {
 public:
  CentredDistances(std::span<const double> values, bool corrected) : corrected_(corrected) {
    const auto [least, most] = std::ranges::minmax(values);
    const double range = most - least;
    constant_ = !(range > 0);
    for (const double value : values) scaled_.push_back(constant_ ? 0 : (value - least) / range);
    const auto n = static_cast<double>(values.size());
    const double row_count = corrected ? n - 2 : n;
    const double all_count = corrected ? (n - 1) * (n - 2) : n * n;
    for (const double one : scaled_) {
      double sum = 0;
      for (const double other : scaled_) sum += std::abs(one - other);
      rows_.push_back(sum / row_count);
      all_ += sum / all_count;
    }
  }

  bool constant() const { return constant_; }
  double At(std::size_t i, std::size_t j) const {
    if (corrected_ && i == j) return 0;
    return std::abs(scaled_[i] - scaled_[j]) - rows_[i] - rows_[j] + all_;
  }
  std::size_t size() const { return scaled_.size(); }

 private:
  bool corrected_;
  bool constant_ = false;
  std::vector<double> scaled_;
  std::vector<double> rows_;
  double all_ = 0;
};

struct DistanceProducts {
  double xy = 0;
  double xx = 0;
  double yy = 0;
};
DistanceProducts ProductsOf(const CentredDistances& x, const CentredDistances& y) {
  DistanceProducts sums;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double a = x.At(i, j);
      const double b = y.At(i, j);
      sums.xy += a * b;
      sums.xx += a * a;
      sums.yy += b * b;
    }
  }
  return sums;
}

}  // namespace

std::optional<double> DistanceCorrelation(std::span<const double> x, std::span<const double> y) {
  const CentredDistances of_x(x, false);
  const CentredDistances of_y(y, false);
  if (of_x.constant() || of_y.constant()) return std::nullopt;
  const auto [xy, xx, yy] = ProductsOf(of_x, of_y);
  return std::sqrt(std::clamp(xy / std::sqrt(xx * yy), 0.0, 1.0));
}

std::optional<double> UnbiasedDistanceCorrelation(std::span<const double> x,
                                                  std::span<const double> y) {
  const CentredDistances of_x(x, true);
  const CentredDistances of_y(y, true);
  if (of_x.constant() || of_y.constant()) return std::nullopt;
  const auto [xy, xx, yy] = ProductsOf(of_x, of_y);
  // All distances may cancel though the series changes, as where one point differs from the rest.
  // Roundings are what then is left, squared.
  constexpr double kRounding = 1e-12;
  const double least = std::pow(kRounding * static_cast<double>(x.size()), 2);
  if (!(std::min(xx, yy) > least)) return std::nullopt;
  return std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0);
}

}  // namespace berth
