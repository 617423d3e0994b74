// A series as read_series.h reads it.
#pragma once

#include <string>

#include "forecast/series.h"

namespace berth {

// at_ms,value: a row a point, a gap's value empty. Numbers are read back as they are.
std::string ToCsv(const TimeSeries& series);

}  // namespace berth
