#include "serve/usage_metrics.h"

#include <algorithm>
#include <cmath>

#include "berth/engine.h"

namespace berth {
namespace {

constexpr std::size_t kAtOnce = 1000;

// The most of a series, and when it was last told.
Window PeakOf(const Samples& samples, const SeriesName& name, Time now) {
  Window peak;
  for (Time from{};;) {
    const auto windows = samples.Read(name, from, now + kWindowLength, kAtOnce);
    if (!windows.ok() || windows.value().empty()) return peak;
    for (const Window& window : windows.value()) {
      peak.max = std::max(peak.max, window.max);
      peak.last = std::max(peak.last, window.last);
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

void ForEachPeak(const Samples& samples, Time now,
                 const std::function<void(const InstanceId&, const Resources&, Time)>& f) {
  SeriesName after;
  std::string subject;
  Resources usage = NothingObserved();
  Time last;
  const auto tell = [&] {
    if (const auto id = ParseInstanceId(subject)) f(*id, usage, last);
  };
  for (;;) {
    // By subject: an instance's series stand together.
    const auto names = samples.Names(after, {}, kAtOnce);
    if (!names.ok() || names.value().empty()) break;
    for (const SeriesName& name : names.value()) {
      if (name.subject != subject) {
        tell();
        subject = name.subject;
        usage = NothingObserved();
        last = Time();
      }
      const std::optional<Resource> resource = ResourceOfMetric(name.metric);
      if (!resource || !ParseInstanceId(name.subject)) continue;
      const Window peak = PeakOf(samples, name, now);
      usage[*resource] = WholeAmount(peak.max);
      last = std::max(last, peak.last);
    }
    after = names.value().back();
  }
  tell();
}

}  // namespace berth
