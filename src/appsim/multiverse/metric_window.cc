#include "appsim/multiverse/metric_window.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace berth::multiverse {
namespace {

Time FloorTo(Time time, Duration grid) { return time - time.time_since_epoch() % grid; }

// Between two values where no value is exactly at the quantile.
double InterpolatedQuantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= values.size()) return values.back();
  const double part = place - static_cast<double>(below);
  return values[below] + part * (values[below + 1] - values[below]);
}

double Reduce(const MetricSpec& metric, std::vector<double> values) {
  switch (metric.aggregator) {
    case AggregatorKind::kMin:
      return *std::min_element(values.begin(), values.end());
    case AggregatorKind::kMax:
      return *std::max_element(values.begin(), values.end());
    case AggregatorKind::kMedian:
      return InterpolatedQuantile(std::move(values), 0.5);
    case AggregatorKind::kQuantile:
      return InterpolatedQuantile(std::move(values), metric.quantile);
    case AggregatorKind::kSum:
      return std::accumulate(values.begin(), values.end(), 0.0);
    case AggregatorKind::kMean:
      break;
  }
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The means of the grid's points in the window that ends with the last sample's. Before the first
// sample there are no points; after it one without samples is a gap.
std::vector<double> GridValues(const MetricSpec& metric, const MetricWindow& window, Duration grid,
                               const Quirks& quirks) {
  const auto& samples = window.samples();
  const Time last = FloorTo(samples.back().first, grid);
  std::vector<double> values;
  Time point =
      std::max(FloorTo(samples.front().first, grid), FloorTo(last - metric.window, grid) + grid);
  auto next = std::lower_bound(samples.begin(), samples.end(), point,
                               [](const auto& sample, Time at) { return sample.first < at; });
  values.reserve(static_cast<std::size_t>((last - point) / grid + 1));
  for (; point <= last; point += grid) {
    double sum = 0;
    std::size_t count = 0;
    for (; next != samples.end() && next->first < point + grid; ++next, ++count) {
      sum += next->second;
    }
    if (count > 0) values.push_back(sum / static_cast<double>(count));
    if (count == 0 && quirks.Has(Quirk::kGapsCountAsZero)) values.push_back(metric.filter_default);
  }
  return values;
}

}  // namespace

void MetricWindow::AddPlain(Time at, double value) {
  samples_.emplace_back(at, value);
  while (samples_.front().first + keep_ < at) samples_.pop_front();
}

void MetricWindow::Add(Time at, double value) {
  recent_.emplace_back(at, value);
  while (recent_.front().first + averaging_ <= at) recent_.pop_front();
  const double sum =
      std::accumulate(recent_.begin(), recent_.end(), 0.0,
                      [](double so_far, const auto& sample) { return so_far + sample.second; });
  AddPlain(at, sum / static_cast<double>(recent_.size()));
}

std::optional<double> Aggregate(const MetricSpec& metric, const MetricWindow& window,
                                std::optional<Duration> grid, const Quirks& quirks) {
  const auto& samples = window.samples();
  if (samples.empty()) return std::nullopt;
  if (grid) return Reduce(metric, GridValues(metric, window, *grid, quirks));
  std::vector<double> values;
  const Time last = samples.back().first;
  for (auto sample = samples.rbegin(); sample != samples.rend(); ++sample) {
    if (sample->first + metric.window <= last) break;
    values.push_back(sample->second);
  }
  return Reduce(metric, std::move(values));
}

std::uint32_t DesiredCount(const MetricGroupSpec& group, std::uint32_t current, double value,
                           const Quirks& quirks) {
  const double wanted = std::ceil(current * value / group.target) * group.factor;
  const double whole = quirks.Has(Quirk::kTruncatedFactor) ? std::floor(wanted) : std::ceil(wanted);
  return static_cast<std::uint32_t>(std::clamp(whole, static_cast<double>(group.min_limit),
                                               static_cast<double>(group.max_limit)));
}

Time EffectTime(const MetricSpec& metric, const MetricGroupSpec& group, Time now,
                const Quirks& quirks) {
  Time first = now;
  if (quirks.Has(Quirk::kNextFullMinute)) {
    const Duration frequency = metric.forecast_frequency;
    first = now + now.time_since_epoch() % frequency - std::chrono::minutes(1);
    if (first < now) first += frequency * ((now - first + frequency - Duration(1)) / frequency);
  }
  return FloorTo(first, group.stabiliser_grid);
}

}  // namespace berth::multiverse
