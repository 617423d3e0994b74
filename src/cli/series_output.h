// What the commands about series share.
#pragma once

#include <string_view>

#include "berth/status.h"
#include "cli/command.h"
#include "forecast/series.h"

namespace berth {

inline constexpr Option kSeriesInputOption = {
    "--input", "FILE", "CSV: at_s, at_ms or timestamp, and value; - is standard input", true};

// A number that may have decimals.
Result<double> DecimalOption(const Invocation& given, std::string_view name);

// As CSV that the same commands read, or with --json as a list of objects; or what went wrong.
int PrintSeries(const Invocation& given, Console& console, const Result<TimeSeries>& series);

}  // namespace berth
