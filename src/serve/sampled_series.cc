#include "serve/sampled_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "forecast/aggregator.h"

namespace berth {
namespace {

// And gaps after it: a series begins with a number, and ends with one.
void LeaveOutFirst(TimeSeries& series) {
  const auto known = [](double value) { return !std::isnan(value); };
  const auto first = std::find_if(series.values.begin() + 1, series.values.end(), known);
  series.start += series.step * (first - series.values.begin());
  series.values.erase(series.values.begin(), first);
}

}  // namespace

Result<TimeSeries> SeriesOfWindows(std::span<const Window> windows, Duration step, Time now) {
  TimeSeries series{.step = kWindowLength};
  for (const Window& window : windows) {
    if (series.values.empty()) series.start = window.begin;
    const auto at = static_cast<std::size_t>((window.begin - series.start) / kWindowLength);
    series.values.resize(at, std::numeric_limits<double>::quiet_NaN());
    series.values.push_back(window.mean());
  }
  const Time begun = series.start;
  if (step != kWindowLength && !series.values.empty()) {
    BERTH_TRY(const AggregatorEntry* mean, FindAggregator("mean"));
    BERTH_TRY(series, Aggregate(*mean, series, step, {}));
  }
  const auto end = [&] {
    return series.start + step * static_cast<std::int64_t>(series.values.size());
  };
  while (!series.values.empty() && (end() > now || std::isnan(series.values.back()))) {
    series.values.pop_back();
  }
  if (series.values.empty()) {
    return Status(Code::kNotFound,
                  fmt::format("there are no samples of a whole window of {} yet; 'berth get "
                              "series' lists what was sampled",
                              FormatDuration(step)));
  }
  if (series.start < begun && series.values.size() > 1) LeaveOutFirst(series);
  return series;
}

}  // namespace berth
