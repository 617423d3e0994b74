// Filters: a series made smoother, or rid of what disturbs. As many points out as in.
//
// To add one, write filters/NAME.cc with the function that applies it, and name both in
// filters.def. A filter is only ever called through ApplyFilter, which checks what it is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "berth/series.h"
#include "berth/status.h"
#include "forecast/series.h"

namespace berth {

inline constexpr double kFilterPeriodMax = 10'000;

enum class FilterGaps : std::uint8_t {
  kFilled,  // On the line between their neighbours, before the filter sees them.
  kSeen,    // As NaN.
};

struct FilterInput {
  std::span<const double> values;
  FilterSettings settings;
};

struct FilterEntry {
  std::string_view name;
  std::string_view summary;
  std::size_t points_min;
  std::size_t points_max;
  FilterGaps gaps;
  Result<std::vector<double>> (*apply)(const FilterInput& input);
};

// In the order of filters.def.
std::span<const FilterEntry> BuiltinFilters();
// The message names those there are.
Result<const FilterEntry*> FindFilter(std::string_view name);

Result<TimeSeries> ApplyFilter(const FilterEntry& filter, const TimeSeries& series,
                               const FilterSettings& settings);

}  // namespace berth
