#include "forecast/correlator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/text.h"
#include "forecast/aggregator.h"
#include "forecast/correlators/builtin.h"
#include "forecast/plugin_names.h"

namespace berth {
namespace {

constexpr CorrelatorEntry kCorrelators[] = {
#define BERTH_CORRELATOR(file, correlate, points_max, sign, summary) \
  {#file, summary, points_max, CorrelationSign::sign, &correlate},
#include "forecast/correlators/correlators.def"
#undef BERTH_CORRELATOR
};

Result<TimeSeries> Resampled(const TimeSeries& series, Duration step) {
  BERTH_TRY(const AggregatorEntry* mean, FindAggregator("mean"));
  BERTH_TRY(TimeSeries windows, Aggregate(*mean, series, step, {}));
  return WholeWindows(std::move(windows), series);
}

// Whether the longer step is a multiple of the other.
Status CheckSteps(const TimeSeries& first, const TimeSeries& second) {
  const auto [shorter, longer] = std::minmax(first.step, second.step);
  if (longer % shorter == Duration::zero()) return {};
  return {Code::kInvalidArgument,
          fmt::format("the first series has a point every {}, the second every {}, and neither is "
                      "a multiple of the other; aggregate both to a step that is one of both first",
                      FormatDuration(first.step), FormatDuration(second.step))};
}

// The pairs of which both are known, the second's being `lag` points later.
LagCorrelation CorrelateAt(const CorrelatorEntry& correlator, const TimeSeries& first,
                           const TimeSeries& second, std::int64_t lag,
                           std::optional<double>& value) {
  const std::int64_t shift = lag + (first.start - second.start) / first.step;
  std::vector<double> x;
  std::vector<double> y;
  const auto second_size = static_cast<std::int64_t>(second.values.size());
  for (std::size_t i = 0; i < first.values.size(); ++i) {
    const std::int64_t j = static_cast<std::int64_t>(i) + shift;
    if (j < 0 || j >= second_size) continue;
    const double other = second.values[static_cast<std::size_t>(j)];
    if (std::isnan(first.values[i]) || std::isnan(other)) continue;
    x.push_back(first.values[i]);
    y.push_back(other);
  }
  value = x.size() < kPairsMin ? std::nullopt : correlator.correlate(x, y);
  return {.lag = lag, .pairs = x.size(), .value = value.value_or(0)};
}

bool IsBetter(CorrelationSign sign, const LagCorrelation& one, const LagCorrelation& other) {
  const auto size = [&](double value) {
    return sign == CorrelationSign::kDirection ? std::abs(value) : value;
  };
  if (size(one.value) != size(other.value)) return size(one.value) > size(other.value);
  if (std::abs(one.lag) != std::abs(other.lag)) return std::abs(one.lag) < std::abs(other.lag);
  return one.lag > other.lag;
}

}  // namespace

std::span<const CorrelatorEntry> BuiltinCorrelators() { return kCorrelators; }

Result<const CorrelatorEntry*> FindCorrelator(std::string_view name) {
  return FindNamed<CorrelatorEntry>(kCorrelators, name, "correlator");
}

Result<LaggedCorrelations> Correlate(const CorrelatorEntry& correlator, const TimeSeries& first,
                                     const TimeSeries& second, std::size_t lag_max,
                                     const CorrelationProgress& progress) {
  BERTH_RETURN_IF_ERROR(CheckSeries(first));
  BERTH_RETURN_IF_ERROR(CheckSeries(second));
  if (lag_max > kLagMax) {
    return Status(Code::kInvalidArgument, fmt::format("lags are of at most {} points, not {}",
                                                      FormatCount(kLagMax), lag_max));
  }
  BERTH_RETURN_IF_ERROR(CheckSteps(first, second));
  LaggedCorrelations found{.step = std::max(first.step, second.step)};
  BERTH_TRY(const TimeSeries x, Resampled(first, found.step));
  BERTH_TRY(const TimeSeries y, Resampled(second, found.step));
  const std::size_t points = std::min(x.values.size(), y.values.size());
  if (points > correlator.points_max) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} takes at most {} points, and the series have {} in common; "
                              "aggregate them first",
                              correlator.name, FormatCount(correlator.points_max), points));
  }
  const auto reach = static_cast<std::int64_t>(lag_max);
  for (std::int64_t lag = -reach; lag <= reach; ++lag) {
    if (progress) progress(static_cast<std::size_t>(lag + reach));
    std::optional<double> value;
    const LagCorrelation one = CorrelateAt(correlator, x, y, lag, value);
    if (!value) continue;
    if (found.lags.empty() || IsBetter(correlator.sign, one, found.best)) found.best = one;
    found.lags.push_back(one);
  }
  if (found.lags.empty()) {
    return Status(Code::kInvalidArgument,
                  fmt::format("nothing to correlate: at no lag have the series {} points in common "
                              "of which both change",
                              kPairsMin));
  }
  return found;
}

}  // namespace berth
