// An equally spaced series of numbers, as forecasters take it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "berth/status.h"
#include "berth/time.h"

namespace berth {

struct TimeSeries {
  Time start{};
  Duration step = std::chrono::hours(1);
  std::vector<double> values{};  // NaN is a gap; neither the first nor the last is one.
};

inline constexpr std::size_t kSeriesPointsMax = 1'000'000;
// Squares of such values, summed over all points, are finite.
inline constexpr double kSeriesValueMax = 1e100;

// At least one point, at most kSeriesPointsMax, no infinity, gaps inside only.
Status CheckSeries(const TimeSeries& series);

// Whether all are one number. At least one.
bool IsConstant(std::span<const double> values);

// Each gap filled on the straight line between its neighbours.
std::vector<double> WithoutGaps(std::span<const double> values);

}  // namespace berth
