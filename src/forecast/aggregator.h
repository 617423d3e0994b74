// Aggregators: what a window of a series is in one number. A series becomes one of longer steps.
//
// To add one, write aggregators/NAME.cc with the function, and name both in aggregators.def.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "berth/series.h"
#include "berth/status.h"
#include "forecast/series.h"

namespace berth {

struct AggregatorEntry {
  std::string_view name;
  std::string_view summary;
  // Of at least one value, none of them a gap.
  double (*aggregate)(std::span<const double> values, const AggregatorSettings& settings);
};

// In the order of aggregators.def.
std::span<const AggregatorEntry> BuiltinAggregators();
// The message names those there are.
Result<const AggregatorEntry*> FindAggregator(std::string_view name);

// Windows of a duration that is a multiple of the step begin at multiples of it since 1970. Gaps
// are left out; a window of nothing else is one. Of the first and the last window the series may
// have a part only.
Result<TimeSeries> Aggregate(const AggregatorEntry& aggregator, const TimeSeries& series,
                             Duration every, const AggregatorSettings& settings);

// Of these windows of the series those of which it has all points, from the first that is no gap to
// the last. There may be none.
TimeSeries WholeWindows(TimeSeries windows, const TimeSeries& series);

}  // namespace berth
