// The same first day under the fast scheduler and under the straightforward one: equal decisions,
// and how many times faster.
#include <fmt/format.h>

#include "bench/bar.h"
#include "bench/qos/suites.h"
#include "berth/check.h"
#include "qos/kind_scheduler.h"
#include "qos/plain_scheduler.h"

namespace berth {

std::vector<QosHost> HostsFor(const QosWorkloadShape& shape) {
  const Result<Resources> peak = PeakDemand(*GenerateQosWorkload(shape));
  BERTH_CHECK(peak.ok());
  return GenerateQosHosts(peak.value(), 90, Rng(shape.seed).Fork("hosts"));
}

QosOptions BenchOptions() {
  QosOptions options;
  options.classes = DefaultFleetSettings().classes;
  options.keep_availabilities = false;
  options.keep_fairness = false;
  return options;
}

TimedRehearsal TimeRehearsal(const QosWorkloadShape& shape, const std::vector<QosHost>& hosts,
                             const QosOptions& options, NewScheduler scheduler) {
  const std::unique_ptr<QosWorkload> workload = GenerateQosWorkload(shape);
  const CoreTimer timer;
  Result<QosResult> result = RehearseQos(hosts, *workload, options, scheduler, [](Time) {});
  BERTH_CHECK(result.ok());
  return {std::move(result).value(), timer.Seconds()};
}

void RunAgainstPlain(bool full) {
  const QosWorkloadShape shape{.requests = full ? 5'000'000U : 1'000'000U};
  QosOptions options = BenchOptions();
  options.until = Time(std::chrono::hours(24));
  const std::vector<QosHost> hosts = HostsFor(shape);
  const TimedRehearsal fast = TimeRehearsal(shape, hosts, options, NewQosScheduler);
  const TimedRehearsal plain = TimeRehearsal(shape, hosts, options, NewPlainQosScheduler);
  fmt::print("{} hosts, {} events, {} placements: {:.2f} s, straightforward {:.2f} s\n",
             hosts.size(), plain.result.events, plain.result.placements, fast.seconds,
             plain.seconds);
  PrintBar("qos_equals_straightforward", fast.result.unseed == plain.result.unseed ? 1 : 0,
           ">=", 1);
  PrintBar("qos_times_faster", plain.seconds / fast.seconds, ">=", 100);
}

}  // namespace berth
