#include "appsim/app_outcome.h"

#include <algorithm>
#include <numeric>

namespace berth {

std::string_view LossCauseName(LossCause cause) {
  switch (cause) {
    case LossCause::kNoInstance:
      return "no instance";
    case LossCause::kBandwidth:
      return "bandwidth";
    case LossCause::kBufferFull:
      return "buffer full";
    case LossCause::kLateOnLink:
      return "timed out on a link";
    case LossCause::kLateWaiting:
      return "timed out waiting";
    case LossCause::kLateWorkedOn:
      return "timed out in work";
    case LossCause::kInstanceStopped:
      return "instance stopped";
  }
  return "";
}

std::uint64_t TypeOutcome::Lost() const {
  return std::accumulate(lost.begin(), lost.end(), std::uint64_t{0});
}

ScalingLatency LatencyOf(const AppOutcome& outcome, bool up) {
  const AppSeries& series = outcome.series;
  const auto& all = series.types.back();
  const auto violated = [&](std::size_t step) {
    const double ended = all[static_cast<std::size_t>(AppMetric::kAnswered)][step] +
                         all[static_cast<std::size_t>(AppMetric::kLost)][step];
    return all[static_cast<std::size_t>(AppMetric::kGood)][step] < kKeptShare * ended;
  };
  ScalingLatency latency;
  double whole_us = 0, violated_us = 0;
  const std::int64_t step_us = series.step.count();
  for (const ScalingInterval& interval : outcome.intervals) {
    if (interval.up != up || interval.to_us <= interval.from_us) continue;
    ++latency.count;
    whole_us += static_cast<double>(interval.to_us - interval.from_us);
    for (auto step = static_cast<std::size_t>(interval.from_us / step_us); step < series.steps;
         ++step) {
      const std::int64_t begin = static_cast<std::int64_t>(step) * step_us;
      if (begin >= interval.to_us) break;
      if (!violated(step)) continue;
      violated_us += static_cast<double>(std::min(interval.to_us, begin + step_us) -
                                         std::max(interval.from_us, begin));
    }
  }
  if (latency.count == 0) return latency;
  latency.mean_s = whole_us / static_cast<double>(latency.count) / 1e6;
  latency.violated_share = violated_us / whole_us;
  return latency;
}

}  // namespace berth
