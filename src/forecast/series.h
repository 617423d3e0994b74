// What a series has to be, and what is made of its gaps.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "berth/series.h"
#include "berth/status.h"

namespace berth {

inline constexpr std::size_t kSeriesPointsMax = 1'000'000;
// Squares of such values, summed over all points, are finite.
inline constexpr double kSeriesValueMax = 1e100;

// At least one point, at most kSeriesPointsMax, no infinity, gaps inside only.
Status CheckSeries(const TimeSeries& series);

// Whether so many points after the series have times that can be written: up to the year 9999.
Status CheckTimesAfter(const TimeSeries& series, std::size_t points);

// Whether all are one number. At least one.
bool IsConstant(std::span<const double> values);

// Each gap filled on the straight line between its neighbours.
std::vector<double> WithoutGaps(std::span<const double> values);

}  // namespace berth
