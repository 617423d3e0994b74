// The same days under the fast scheduler and under the straightforward one: equal decisions, and
// how many times faster.
#include <fmt/format.h>

#include <chrono>
#include <string_view>

#include "bench/bar.h"
#include "bench/cpu_watch.h"
#include "bench/qos/suites.h"
#include "berth/check.h"
#include "qos/kind_scheduler.h"
#include "qos/plain_scheduler.h"

namespace berth {

QosWorkloadShape TraceShape(std::uint64_t requests) {
  return {.requests = requests, .burst_share_most = 0.001};
}

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
  const CpuWatch timer;
  std::int64_t days = 0;
  const auto tell_days = [&](Time now) {
    if (now.time_since_epoch() < (days + 1) * std::chrono::days(1)) return;
    fmt::print(stderr, "day {}: {:.1f} s\n", ++days, timer.seconds());
  };
  Result<QosResult> result = RehearseQos(hosts, *workload, options, scheduler, tell_days);
  BERTH_CHECK(result.ok());
  return {std::move(result).value(), timer.seconds()};
}

namespace {

struct Compared {
  double fast_s = 0;
  double plain_s = 0;
};

Compared Compare(std::string_view name, std::uint64_t requests, Duration until) {
  const QosWorkloadShape shape = TraceShape(requests);
  QosOptions options = BenchOptions();
  options.until = Time(until);
  const std::vector<QosHost> hosts = HostsFor(shape);
  const TimedRehearsal fast = TimeRehearsal(shape, hosts, options, NewQosScheduler);
  const TimedRehearsal plain = TimeRehearsal(shape, hosts, options, NewPlainQosScheduler);
  fmt::print("{}: {} hosts, {} events, {} placements, {:.2f} s, straightforward {:.2f} s\n", name,
             hosts.size(), plain.result.events, plain.result.placements, fast.seconds,
             plain.seconds);
  const bool equal = fast.result.unseed == plain.result.unseed;
  PrintBar(fmt::format("qos_{}_equals_straightforward", name), equal ? 1 : 0, ">=", 1);
  return {fast.seconds, plain.seconds};
}

}  // namespace

// A tenth until many wait and yield after a burst; of it all as much as the straightforward one
// does in ten minutes, or less; and, with more patience, the first day.
void RunAgainstPlain(bool full) {
  Compare("tenth", 2'500'000, std::chrono::minutes(7'710));
  const Compared large = Compare("large", 25'000'000, std::chrono::hours(full ? 14 : 8));
  PrintBar("qos_large_times_faster", large.plain_s / large.fast_s, ">=", 100);
  if (full) Compare("first_day", 25'000'000, std::chrono::hours(24));
}

}  // namespace berth
