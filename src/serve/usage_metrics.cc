#include "serve/usage_metrics.h"

#include <algorithm>
#include <cmath>

#include "berth/engine.h"

namespace berth {
namespace {

constexpr std::size_t kAtOnce = 1000;

// Of one series: the mean of its last window, the most, and when it was last told.
struct SeriesUsage {
  double now = 0;
  double peak = 0;
  Time at;
};
SeriesUsage UsageInSeries(const Samples& samples, const SeriesName& name, Time from) {
  const Time later_than_all = TimeFromMicros(INT64_MAX / 2);
  SeriesUsage usage;
  for (;;) {
    const auto windows = samples.Read(name, from, later_than_all, kAtOnce);
    if (!windows.ok() || windows.value().empty()) return usage;
    for (const Window& window : windows.value()) {
      usage.now = window.mean();
      usage.peak = std::max(usage.peak, window.max);
      usage.at = std::max(usage.at, window.last);
    }
    from = windows.value().back().begin + kWindowLength;
  }
}

}  // namespace

std::optional<Resource> ResourceOfMetric(std::string_view metric) {
  const auto at = std::ranges::find(kUsageMetrics, metric);
  if (at == kUsageMetrics.end()) return std::nullopt;
  return kAllResources[static_cast<std::size_t>(at - kUsageMetrics.begin())];
}

std::int64_t WholeAmount(double value) {
  if (!(value > 0)) return 0;
  return static_cast<std::int64_t>(std::min(std::ceil(value), static_cast<double>(kAmountMax)));
}

void ForEachUsage(const Samples& samples, const Inventory& fleet,
                  const std::function<void(const Instance&, const KeptUsage&)>& f) {
  SeriesName after;
  std::string subject;
  const Instance* instance = nullptr;  // That it is, if there is one.
  KeptUsage usage;
  const auto tell = [&] {
    if (instance != nullptr && usage.at != Time()) f(*instance, usage);
  };
  for (;;) {
    // By subject: an instance's series stand together.
    const auto names = samples.Names(after, {}, kAtOnce);
    if (!names.ok() || names.value().empty()) break;
    for (const SeriesName& name : names.value()) {
      if (name.subject != subject) {
        tell();
        subject = name.subject;
        const std::optional<InstanceId> id = ParseInstanceId(subject);
        instance = id ? fleet.Find(*id) : nullptr;
        usage = {.now = NothingObserved(), .peak = NothingObserved(), .at = {}};
      }
      const std::optional<Resource> resource = ResourceOfMetric(name.metric);
      if (!resource || instance == nullptr) continue;
      const SeriesUsage series = UsageInSeries(samples, name, WindowOf(instance->timeline.created));
      if (series.at == Time()) continue;
      usage.now[*resource] = WholeAmount(series.now);
      usage.peak[*resource] = WholeAmount(series.peak);
      usage.at = std::max(usage.at, series.at);
    }
    after = names.value().back();
  }
  tell();
}

}  // namespace berth
