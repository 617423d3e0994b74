// Equally spaced series of numbers, and what can be done to them by name:
//
//   TimeSeries load{.start = TimeFromMicros(0), .step = std::chrono::hours(1), .values = {...}};
//   ApplyFilter("butterworth", load, {.period = 24});      // Without cycles shorter than a day.
//   Aggregate("max", load, std::chrono::hours(24));        // The most of each day.
//   Correlate("pearson", load, cpu, 6);                    // At up to six hours to either side.
//   DetectSeasons(load);                                   // {24, 168}, say.
//
// docs/forecasting.md tells what each does, berth/forecast.h foresees what comes next. A series has
// up to a million points, each of up to 1e100; some operations take fewer, and say so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "berth/time.h"

namespace berth {

struct TimeSeries {
  Time start{};
  Duration step = std::chrono::hours(1);
  std::vector<double> values{};  // NaN is a gap; neither the first nor the last is one.
};

// Each filter reads those that its summary names.
struct FilterSettings {
  double value = 0;                        // In place of a gap.
  std::optional<std::size_t> season = 24;  // In points, or none.
  double period = 12;                      // In points; shorter cycles are taken out.
};

struct AggregatorSettings {
  double quantile = 0.95;
};

struct LagCorrelation {
  std::int64_t lag = 0;  // In points: by how many the second series is behind the first.
  std::size_t pairs = 0;
  double value = 0;
};

struct LaggedCorrelations {
  Duration step{};
  std::vector<LagCorrelation> lags{};  // Ascending; those of which there is a value.
  LagCorrelation best{};  // The greatest, in size where the sign is a direction; of equals the lag
                          // nearest to none.
};

struct SeriesOperation {
  std::string_view name;
  std::string_view summary;
};

// What `berth list operations` lists.
std::vector<SeriesOperation> Filters();
std::vector<SeriesOperation> Aggregators();
std::vector<SeriesOperation> Correlators();

// As many points out as in. The message of a name that there is not names those there are, here and
// below.
Result<TimeSeries> ApplyFilter(std::string_view filter, const TimeSeries& series,
                               const FilterSettings& settings = {});

// Windows of a duration that is a multiple of the step begin at multiples of it since 1970. Gaps
// are left out; a window of nothing else is one. Of the first and the last window the series may
// have a part only.
Result<TimeSeries> Aggregate(std::string_view aggregator, const TimeSeries& series, Duration every,
                             const AggregatorSettings& settings = {});

// Both series are brought to the longer of their steps, a multiple of the other, by averages, and
// compared where they overlap, with each lag of up to `lag_max` points, at most 1,000, to either
// side.
Result<LaggedCorrelations> Correlate(std::string_view correlator, const TimeSeries& first,
                                     const TimeSeries& second, std::size_t lag_max);

// In points, ascending, at most four; empty of a series without.
Result<std::vector<std::size_t>> DetectSeasons(const TimeSeries& series);

}  // namespace berth
