#include "forecast/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "forecast/filters/builtin.h"
#include "forecast/plugin_names.h"

namespace berth {
namespace {

// Of those that take long: more than linear in the points, or fitted in many passes.
constexpr std::size_t kFilteredPointsMax = 20'000;

using enum FilterGaps;

constexpr FilterEntry kFilters[] = {
#define BERTH_FILTER(file, apply, points_min, points_max, gaps, summary) \
  {#file, summary, points_min, points_max, gaps, &apply},
#include "forecast/filters/filters.def"
#undef BERTH_FILTER
};

Status CheckFiltering(const FilterEntry& filter, std::size_t points,
                      const FilterSettings& settings) {
  if (points < filter.points_min || points > filter.points_max) {
    return {Code::kInvalidArgument,
            fmt::format("{} takes {} to {} points, and the series has {}", filter.name,
                        filter.points_min, FormatCount(filter.points_max), points)};
  }
  if (!(std::abs(settings.value) <= kSeriesValueMax)) {
    return {Code::kInvalidArgument,
            fmt::format("a value is at most {:g} in size", kSeriesValueMax)};
  }
  if (settings.season && *settings.season < 2) {
    return {Code::kInvalidArgument, "a season is of at least 2 points, or none"};
  }
  if (!(settings.period > 2 && settings.period <= kFilterPeriodMax)) {
    return {Code::kInvalidArgument,
            fmt::format("a period is of more than 2 and at most {} points, not {}",
                        FormatCount(static_cast<std::int64_t>(kFilterPeriodMax)), settings.period)};
  }
  return {};
}

}  // namespace

std::span<const FilterEntry> BuiltinFilters() { return kFilters; }

Result<const FilterEntry*> FindFilter(std::string_view name) {
  return FindNamed<FilterEntry>(kFilters, name, "filter");
}

Result<TimeSeries> ApplyFilter(const FilterEntry& filter, const TimeSeries& series,
                               const FilterSettings& settings) {
  BERTH_RETURN_IF_ERROR(CheckSeries(series));
  BERTH_RETURN_IF_ERROR(CheckFiltering(filter, series.values.size(), settings));
  const std::vector<double> values =
      filter.gaps == kFilled ? WithoutGaps(series.values) : series.values;
  TimeSeries filtered = series;
  BERTH_TRY(filtered.values, filter.apply({.values = values, .settings = settings}));
  return filtered;
}

}  // namespace berth
