#include "forecast/aggregator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/text.h"
#include "forecast/aggregators/builtin.h"
#include "forecast/plugin_names.h"

namespace berth {
namespace {

constexpr AggregatorEntry kAggregators[] = {
#define BERTH_AGGREGATOR(file, aggregate, summary) {#file, summary, &aggregate},
#include "forecast/aggregators/aggregators.def"
#undef BERTH_AGGREGATOR
};

Time BeginOfWindow(Time at, Duration length) {
  const Duration since = at.time_since_epoch();
  const Duration past = since % length;
  return at - (past < Duration::zero() ? past + length : past);
}

}  // namespace

std::span<const AggregatorEntry> BuiltinAggregators() { return kAggregators; }

Result<const AggregatorEntry*> FindAggregator(std::string_view name) {
  return FindNamed<AggregatorEntry>(kAggregators, name, "aggregator");
}

Result<TimeSeries> Aggregate(const AggregatorEntry& aggregator, const TimeSeries& series,
                             Duration every, const AggregatorSettings& settings) {
  BERTH_RETURN_IF_ERROR(CheckSeries(series));
  if (every < series.step || every % series.step != Duration::zero()) {
    return Status(Code::kInvalidArgument,
                  fmt::format("windows are a multiple of the series' step of {}, not {}",
                              FormatDuration(series.step), FormatDuration(every)));
  }
  TimeSeries windows{.start = BeginOfWindow(series.start, every), .step = every, .values = {}};
  std::vector<double> known;
  Time end = windows.start + every;
  const auto close = [&] {
    windows.values.push_back(known.empty() ? std::numeric_limits<double>::quiet_NaN()
                                           : aggregator.aggregate(known, settings));
    known.clear();
    end += every;
  };
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    if (series.start + series.step * static_cast<std::int64_t>(i) >= end) close();
    if (!std::isnan(series.values[i])) known.push_back(series.values[i]);
  }
  close();
  return windows;
}

TimeSeries WholeWindows(TimeSeries windows, const TimeSeries& series) {
  const auto end_of = [](const TimeSeries& of) {
    return of.start + of.step * static_cast<std::int64_t>(of.values.size());
  };
  std::vector<double>& values = windows.values;
  // Where the next point would be, it would be in the last window; the one before, in the first.
  if (end_of(series) < end_of(windows)) values.pop_back();
  while (!values.empty() && std::isnan(values.back())) values.pop_back();
  auto first = values.begin();
  if (first != values.end() && series.start - series.step >= windows.start) ++first;
  first = std::find_if(first, values.end(), [](double value) { return !std::isnan(value); });
  windows.start += windows.step * (first - values.begin());
  values.erase(values.begin(), first);
  return windows;
}

}  // namespace berth
