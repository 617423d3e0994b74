#include "appsim/app_outcome.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace berth {
namespace {

double MeanIgnoringGaps(const std::vector<double>& values) {
  double sum = 0, count = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

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

double ScalingLatency::MeanSeconds() const {
  return count == 0 ? 0 : whole_us / static_cast<double>(count) / 1e6;
}

double ScalingLatency::ViolatedShare() const { return count == 0 ? 0 : violated_us / whole_us; }

ScalingLatency LatencyOf(const AppOutcome& outcome, bool up) {
  const AppSeries& series = outcome.series;
  const auto& all = series.types.back();
  const auto violated = [&](std::size_t step) {
    const double ended = all[static_cast<std::size_t>(AppMetric::kAnswered)][step] +
                         all[static_cast<std::size_t>(AppMetric::kLost)][step];
    return all[static_cast<std::size_t>(AppMetric::kGood)][step] < kKeptShare * ended;
  };
  ScalingLatency latency;
  const std::int64_t step_us = series.step.count();
  for (const ScalingInterval& interval : outcome.intervals) {
    if (interval.up != up || interval.to_us <= interval.from_us) continue;
    ++latency.count;
    latency.whole_us += static_cast<double>(interval.to_us - interval.from_us);
    for (auto step = static_cast<std::size_t>(interval.from_us / step_us); step < series.steps;
         ++step) {
      const std::int64_t begin = static_cast<std::int64_t>(step) * step_us;
      if (begin >= interval.to_us) break;
      if (!violated(step)) continue;
      latency.violated_us += static_cast<double>(std::min(interval.to_us, begin + step_us) -
                                                 std::max(interval.from_us, begin));
    }
  }
  return latency;
}

AppMeans MeansOf(const AppSeries& series) {
  AppMeans means{.nodes = MeanIgnoringGaps(series.nodes)};
  for (std::size_t r = 0; r < kUsedCount; ++r) {
    means.utilisation[r] = MeanIgnoringGaps(series.utilisation[r]);
  }
  means.services.resize(series.services.size());
  for (std::size_t i = 0; i < series.services.size(); ++i) {
    for (std::size_t r = 0; r < kUsedCount; ++r) {
      means.services[i][r] = MeanIgnoringGaps(series.services[i][r]);
    }
  }
  return means;
}

}  // namespace berth
