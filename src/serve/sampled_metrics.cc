#include "serve/sampled_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <map>
#include <utility>

#include "base/text.h"
#include "serve/sampled_series.h"
#include "serve/usage_metrics.h"

namespace berth {
namespace {

constexpr std::pair<std::string_view, Resource> kShares[] = {{"cpu", Resource::kCpu},
                                                             {"memory", Resource::kMemory}};
// Named in a message.
constexpr std::size_t kNamedMax = 20;

Status NoSuchMetric(const Samples& samples, const std::string& service, std::string_view metric) {
  BERTH_TRY(const std::vector<SeriesName> found, samples.Names({}, service, kNamedMax));
  std::vector<std::string> known = {"cpu", "memory"};
  known.reserve(known.size() + found.size());
  for (const SeriesName& name : found) known.push_back(name.metric);
  return {Code::kNotFound, fmt::format("there is no metric {} of {}; there are {}", Quoted(metric),
                                       service, fmt::join(known, ", "))};
}

}  // namespace

SampledMetrics::SampledMetrics(Observer& observer, Time now, std::vector<SampledService> services)
    : observer_(observer), now_(now), services_(std::move(services)) {}

Result<TimeSeries> SampledMetrics::Series(const MetricKey& key, std::size_t points) const {
  std::promise<Result<TimeSeries>> read;
  observer_.Use(
      [&](Samples& samples, Time /*now*/) { read.set_value(Read(samples, key, points)); });
  return read.get_future().get();
}

Result<TimeSeries> SampledMetrics::Read(const Samples& samples, const MetricKey& key,
                                        std::size_t points) const {
  if (!key.request_type.empty()) {
    return Status(Code::kNotFound, fmt::format("{} is not sampled by request type; leave out {}",
                                               key.name, Quoted(key.request_type)));
  }
  const SampledService& service =
      services_[key.service == MetricKey::kApplication ? 0 : key.service];
  const auto* share =
      std::ranges::find(kShares, key.name, [](const auto& one) { return one.first; });
  std::vector<Window> windows;
  if (share != std::end(kShares)) {
    BERTH_TRY(windows, UsageOf(samples, service, share->second, points));
  } else {
    BERTH_TRY(windows, WindowsOf(samples, {service.name, std::string(key.name)}, points));
  }
  Result<TimeSeries> series = SeriesOfWindows(windows, kWindowLength, now_);
  if (!series.ok() && share == std::end(kShares)) {
    const SeriesName name{service.name, std::string(key.name)};
    BERTH_TRY(const std::vector<Window> ever, samples.Read(name, Time(), now_, 1));
    if (ever.empty()) return NoSuchMetric(samples, service.name, key.name);
  }
  TimeSeries last{.start = now_, .step = kWindowLength};
  if (!series.ok()) return last;
  const TimeSeries& all = series.value();
  const Time end = all.start + all.step * static_cast<std::int64_t>(all.values.size());
  if (end + kCountsFor <= now_) return last;
  std::size_t from = all.values.size() - std::min(points, all.values.size());
  // The last is never a gap.
  while (std::isnan(all.values[from])) ++from;
  last.start = all.start + all.step * static_cast<std::int64_t>(from);
  last.values.assign(all.values.begin() + static_cast<std::ptrdiff_t>(from), all.values.end());
  return last;
}

// Some more than are wanted, as the last are not over, or not there yet.
Result<std::vector<Window>> SampledMetrics::WindowsOf(const Samples& samples,
                                                      const SeriesName& name,
                                                      std::size_t points) const {
  const auto length = static_cast<std::int64_t>(points) * kWindowLength + kCountsFor;
  return samples.Read(name, now_ - length, now_,
                      static_cast<std::size_t>(length / kWindowLength) + 1);
}

// What all instances that are there now used, over what they might have.
Result<std::vector<Window>> SampledMetrics::UsageOf(const Samples& samples,
                                                    const SampledService& service,
                                                    Resource resource, std::size_t points) const {
  struct Sum {
    double used = 0;
    double limit = 0;
  };
  std::map<Time, Sum> sums;
  const std::string metric(kUsageMetrics[static_cast<std::size_t>(resource)]);
  for (const SampledInstance& instance : service.instances) {
    BERTH_TRY(const std::vector<Window> windows,
              WindowsOf(samples, {instance.subject, metric}, points));
    for (const Window& window : windows) {
      sums[window.begin].used += window.mean();
      sums[window.begin].limit += static_cast<double>(instance.limit[resource]);
    }
  }
  std::vector<Window> shares;
  shares.reserve(sums.size());
  for (const auto& [begin, sum] : sums) {
    if (sum.limit <= 0) continue;
    shares.push_back({.begin = begin, .last = begin, .count = 1, .sum = sum.used / sum.limit});
  }
  return shares;
}

}  // namespace berth
