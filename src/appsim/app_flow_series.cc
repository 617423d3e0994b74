#include <cmath>
#include <limits>
#include <utility>

#include "appsim/app_flow.h"

namespace berth {
namespace {

double Ratio(double over, double under) {
  return under > 0 ? over / under : std::numeric_limits<double>::quiet_NaN();
}

constexpr double kMicrosOfASecond = 1e6;

}  // namespace

void AppFlow::EndStep(AppSeries& series) {
  const std::int64_t now = agenda_.now();
  const auto step_us = static_cast<double>(series.step.count());
  const double step_s = step_us / kMicrosOfASecond;
  for (std::size_t i = 0; i < services_.size(); ++i) {
    ServiceState& service = services_[i];
    const auto put = [&](ServiceMetric metric, double value) {
      series.services[i][static_cast<std::size_t>(metric)].push_back(value);
    };
    const std::array<double, kUsedCount> used = service.used.Take(now);
    const std::array<double, kUsedCount> allowed = service.allowed_all.Take(now);
    for (std::size_t r = 0; r < kUsedCount; ++r) {
      put(static_cast<ServiceMetric>(r), Ratio(used[r], allowed[r]));
    }
    const StepOfService step = std::exchange(service.step, {});
    const auto up = static_cast<double>(step.taken[0]), down = static_cast<double>(step.taken[1]);
    put(ServiceMetric::kWaitingTime,
        Ratio(step.waited_us[0] + step.waited_us[1], up + down) / kMicrosOfASecond);
    put(ServiceMetric::kUpstreamWaitingTime, Ratio(step.waited_us[0], up) / kMicrosOfASecond);
    put(ServiceMetric::kDownstreamWaitingTime, Ratio(step.waited_us[1], down) / kMicrosOfASecond);
    const std::array<double, 2> waiting = service.waiting.Take(now);
    put(ServiceMetric::kWaitingCount, (waiting[0] + waiting[1]) / step_us);
    put(ServiceMetric::kUpstreamWaitingCount, waiting[0] / step_us);
    put(ServiceMetric::kDownstreamWaitingCount, waiting[1] / step_us);
    put(ServiceMetric::kLoad, static_cast<double>(step.came) / step_s);
    put(ServiceMetric::kInstances, static_cast<double>(service.ready.size()));
  }
  StepOfType all;
  const auto put_type = [&](std::size_t type, const StepOfType& step) {
    const auto put = [&](AppMetric metric, double value) {
      series.types[type][static_cast<std::size_t>(metric)].push_back(value);
    };
    const auto answered = static_cast<double>(step.answered);
    put(AppMetric::kLoad, static_cast<double>(step.sent) / step_s);
    put(AppMetric::kResponseTime, Ratio(step.response_us, answered) / kMicrosOfASecond);
    put(AppMetric::kNetworkTime, Ratio(step.on_links_us, answered) / kMicrosOfASecond);
    put(AppMetric::kBufferTime, Ratio(step.waited_us, answered) / kMicrosOfASecond);
    put(AppMetric::kAnswered, answered / step_s);
    put(AppMetric::kLost, static_cast<double>(step.lost) / step_s);
    put(AppMetric::kGood, static_cast<double>(step.good) / step_s);
  };
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const StepOfType step = std::exchange(steps_[i], {});
    put_type(i, step);
    all.sent += step.sent;
    all.answered += step.answered;
    all.good += step.good;
    all.lost += step.lost;
    all.response_us += step.response_us;
    all.waited_us += step.waited_us;
    all.on_links_us += step.on_links_us;
  }
  put_type(steps_.size(), all);
  used_in_step_ = used_all_.Take(now);
}

void AppFlow::EndRun(AppOutcome& outcome) {
  outcome.types = std::move(outcome_.types);
  outcome.services = std::move(outcome_.services);
  for (const ServiceOutcome& service : outcome.services) outcome.hops += service.hops;
  for (const TypeOutcome& type : outcome.types) {
    outcome.unfinished += type.sent - type.answered - type.Lost();
  }
  outcome.under_way_max = in_flight_.count_max();
}

}  // namespace berth
