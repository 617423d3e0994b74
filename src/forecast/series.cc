#include "forecast/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace berth {
namespace {

constexpr Duration kTimeMax = std::chrono::seconds(253'402'300'799);  // The end of the year 9999.

Status BadPoint(std::size_t index, std::string_view what) {
  return {Code::kInvalidArgument, fmt::format("point {} of the series {}", index + 1, what)};
}

}  // namespace

Status CheckSeries(const TimeSeries& series) {
  const std::vector<double>& values = series.values;
  if (values.empty()) return {Code::kInvalidArgument, "the series has no point; give at least one"};
  if (values.size() > kSeriesPointsMax) {
    return {Code::kInvalidArgument, fmt::format("the series has {} points; at most {} are taken",
                                                values.size(), FormatCount(kSeriesPointsMax))};
  }
  if (series.step <= Duration::zero()) {
    return {Code::kInvalidArgument, "the step between points must be positive"};
  }
  if (std::isnan(values.front())) return BadPoint(0, "is a gap; a series begins with a number");
  if (std::isnan(values.back())) {
    return BadPoint(values.size() - 1, "is a gap; a series ends with a number");
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::abs(values[i]) > kSeriesValueMax) {
      return BadPoint(i, fmt::format("is beyond {:g}", kSeriesValueMax));
    }
  }
  return {};
}

Status CheckTimesAfter(const TimeSeries& series, std::size_t points) {
  const Duration left = kTimeMax - series.start.time_since_epoch();
  const auto last = static_cast<std::int64_t>(series.values.size() + points) - 1;
  if (left / series.step >= last) return {};
  return {Code::kInvalidArgument,
          fmt::format("points are {} apart, so that the last of {} after them is past the year "
                      "9999; shorten the horizon, or mend the times",
                      FormatDuration(series.step), FormatCount(points))};
}

bool IsConstant(std::span<const double> values) {
  return std::ranges::all_of(values, [&](double value) { return value == values.front(); });
}

std::vector<double> WithoutGaps(std::span<const double> values) {
  std::vector<double> filled(values.begin(), values.end());
  std::size_t known = 0;
  for (std::size_t i = 1; i < filled.size(); ++i) {
    if (std::isnan(filled[i])) continue;
    const double slope = (filled[i] - filled[known]) / static_cast<double>(i - known);
    for (std::size_t j = known + 1; j < i; ++j) {
      filled[j] = filled[known] + slope * static_cast<double>(j - known);
    }
    known = i;
  }
  return filled;
}

}  // namespace berth
