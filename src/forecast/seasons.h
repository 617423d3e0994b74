// Which seasons to give a method: the usual ones, named ones, or those found in the series.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "berth/time.h"
#include "forecast/series.h"

namespace berth {

// A day and a week of points, as far as points are that far apart.
std::vector<std::size_t> UsualSeasons(Duration step);

// What is to be told where a day or a week of points is longer than a season may be; empty:
// nothing.
std::string LeftOutOfUsual(Duration step);

// "24,168", in points; "none"; "auto": those that season_detection.h finds; empty: the usual ones.
Result<std::vector<std::size_t>> SeasonsNamed(std::string_view text, const TimeSeries& series);

}  // namespace berth
