// A series from a CSV file.
//
// One column is the time: at_s, at_ms (since the Unix epoch) or timestamp ("2026-11-15 13:45:00",
// UTC, the seconds and a T in place of the space as you like). The other is the value: the column
// named so, or the only other one. Rows come in the order of their time. The first two rows say how
// far apart points are; a row that is left out, or has an empty value, is a gap. Gaps at either end
// are dropped.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/lines.h"
#include "berth/status.h"
#include "forecast/series.h"

namespace berth {

Result<TimeSeries> ReadSeries(LineReader lines);

inline constexpr std::size_t kSeriesColumnsMax = 1'000;

struct NamedSeries {
  std::string name{};
  TimeSeries series{};
};
// Every column beside the times, each a series of its name. `file_name` is what errors call it.
Result<std::vector<NamedSeries>> ReadSeriesColumns(const std::string& text,
                                                   const std::string& file_name);

}  // namespace berth
