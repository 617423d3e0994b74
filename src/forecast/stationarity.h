// How often a series must be differenced before it keeps to one level.
#pragma once

#include <cstddef>
#include <span>

namespace berth {

// The statistic of Kwiatkowski, Phillips, Schmidt and Shin (1992) of a constant level. Above 0.463
// a level is refuted at 5%. Zero of a constant series.
double LevelStatistic(std::span<const double> values);

// The part of the variance without the trend that is the season's, 0 to 1 (Wang, Smith and Hyndman
// 2006). At least two periods.
double SeasonalStrength(std::span<const double> values, std::size_t period);

// As R's ndiffs and nsdiffs count, with their limits.
std::size_t DifferencesNeeded(std::span<const double> values, std::size_t most);
std::size_t SeasonalDifferencesNeeded(std::span<const double> values, std::size_t period);

}  // namespace berth
