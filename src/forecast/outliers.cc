#include "forecast/outliers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/quantiles.h"
#include "forecast/series.h"
#include "forecast/stl.h"

namespace berth {
namespace {

constexpr double kReachInWidths = 3;
// Of the greatest value: less is what taking off seasons rounds.
constexpr double kRounding = 1e-12;

// What seasons and trend leave. The trend is a median of so many points about each, which a few
// outliers do not move.
std::vector<double> RestOf(std::span<const double> values, std::span<const std::size_t> seasons) {
  std::vector<double> rest(values.begin(), values.end());
  if (!seasons.empty()) rest = Mstl(values, seasons).adjusted;
  constexpr std::size_t kReach = 12;
  const std::vector<double> adjusted = rest;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const std::size_t begin = i < kReach ? 0 : i - kReach;
    const std::size_t end = std::min(rest.size(), i + kReach + 1);
    const auto at = [&](std::size_t index) {
      return adjusted.begin() + static_cast<std::ptrdiff_t>(index);
    };
    rest[i] -= Quantile({at(begin), at(end)}, 0.5);
  }
  return rest;
}

struct Middle {
  double low = 0;
  double high = 0;
};

// Half of the rest; where that is one value, 98% of it, so that what is seldom but usual counts.
Middle MiddleOf(const std::vector<double>& rest, double rounding) {
  const Middle half{.low = Quantile(rest, 0.25), .high = Quantile(rest, 0.75)};
  if (half.high - half.low > rounding) return half;
  return {.low = Quantile(rest, 0.01), .high = Quantile(rest, 0.99)};
}

}  // namespace

std::vector<std::size_t> OutliersOf(std::span<const double> values,
                                    std::span<const std::size_t> seasons) {
  std::vector<std::size_t> outliers;
  const std::vector<double> rest = RestOf(values, seasons);
  double greatest = 0;
  for (const double value : values) greatest = std::max(greatest, std::abs(value));
  const double rounding = seasons.empty() ? 0 : kRounding * greatest;
  const auto [low, high] = MiddleOf(rest, rounding);
  const double reach = std::max(rounding, kReachInWidths * (high - low));
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] < low - reach || rest[i] > high + reach) outliers.push_back(i);
  }
  return outliers;
}

std::vector<double> WithoutOutliers(std::span<const double> values,
                                    std::span<const std::size_t> seasons) {
  std::vector<double> kept(values.begin(), values.end());
  const std::vector<std::size_t> outliers = OutliersOf(values, seasons);
  for (const std::size_t i : outliers) kept[i] = std::numeric_limits<double>::quiet_NaN();
  // At most half of the points are outliers, so some value remains.
  const auto known = [](double value) { return !std::isnan(value); };
  const auto first = std::ranges::find_if(kept, known);
  std::fill(kept.begin(), first, *first);
  const auto last = std::find_if(kept.rbegin(), kept.rend(), known);
  std::fill(kept.rbegin(), last, *last);
  return WithoutGaps(kept);
}

}  // namespace berth
