// berth/series.h: operations on series as users of the library find them, by name.
#include <fmt/format.h>

#include "berth/series.h"
#include "forecast/aggregator.h"
#include "forecast/correlator.h"
#include "forecast/filter.h"
#include "forecast/season_detection.h"
#include "forecast/seasons.h"

namespace berth {
namespace {

template <typename Entry>
std::vector<SeriesOperation> Operations(std::span<const Entry> entries) {
  std::vector<SeriesOperation> operations;
  for (const Entry& entry : entries) operations.push_back({entry.name, entry.summary});
  return operations;
}

}  // namespace

std::vector<SeriesOperation> Filters() { return Operations(BuiltinFilters()); }
std::vector<SeriesOperation> Aggregators() { return Operations(BuiltinAggregators()); }
std::vector<SeriesOperation> Correlators() { return Operations(BuiltinCorrelators()); }

Result<TimeSeries> ApplyFilter(std::string_view filter, const TimeSeries& series,
                               const FilterSettings& settings) {
  BERTH_TRY(const FilterEntry* entry, FindFilter(filter));
  return ApplyFilter(*entry, series, settings);
}

Result<TimeSeries> Aggregate(std::string_view aggregator, const TimeSeries& series, Duration every,
                             const AggregatorSettings& settings) {
  BERTH_TRY(const AggregatorEntry* entry, FindAggregator(aggregator));
  if (!(settings.quantile >= 0 && settings.quantile <= 1)) {
    return Status(Code::kInvalidArgument,
                  fmt::format("a quantile is between 0 and 1, not {}", settings.quantile));
  }
  return Aggregate(*entry, series, every, settings);
}

Result<LaggedCorrelations> Correlate(std::string_view correlator, const TimeSeries& first,
                                     const TimeSeries& second, std::size_t lag_max) {
  BERTH_TRY(const CorrelatorEntry* entry, FindCorrelator(correlator));
  return Correlate(*entry, first, second, lag_max);
}

Result<std::vector<std::size_t>> DetectSeasons(const TimeSeries& series) {
  BERTH_RETURN_IF_ERROR(CheckSeries(series));
  return DetectSeasons(WithoutGaps(series.values), UsualSeasons(series.step));
}

}  // namespace berth
