// A month of Google's size on nine tenths of the hosts that it needs at its peak.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>

#include "bench/bar.h"
#include "bench/qos/suites.h"
#include "qos/class_terms.h"
#include "qos/kind_scheduler.h"

namespace berth {
namespace {

void Print(std::string_view name, const TimedRehearsal& run, const QosOptions& options) {
  const QosResult& result = run.result;
  std::uint64_t preemptions = 0;
  for (const QosClassOutcome& outcome : result.classes) preemptions += outcome.preemptions;
  fmt::print(
      "{}: {:.1f} s, {} events, {} passes, {} placements, {} preemptions, {} waiting at most, "
      "{} alive at most\n",
      name, run.seconds, result.events, result.passes, result.placements, preemptions,
      result.waiting_peak, result.alive_peak);
  for (std::size_t i = 0; i < result.classes.size(); ++i) {
    const QosClassOutcome& outcome = result.classes[i];
    fmt::print("  {}: {} requests, {:.5f} fulfilled\n", options.classes[i].name.str(),
               outcome.requests,
               static_cast<double>(outcome.fulfilled) / static_cast<double>(outcome.requests));
  }
}

// The share of intervals of medium or high contention.
double Contended(const QosResult& priority, const QosOptions& options) {
  std::vector<std::uint32_t> ranks;
  for (const ClassTerms& terms : TermsOf(options.classes)) ranks.push_back(terms.rank);
  std::array<double, kContentionLevels> shares{};
  for (const std::vector<ClassInInterval>& interval : priority.intervals) {
    shares[static_cast<std::size_t>(LevelOf(interval, ranks))] +=
        1.0 / static_cast<double>(priority.intervals.size());
  }
  fmt::print("contention: none {:.3f}, low {:.3f}, medium {:.3f}, high {:.3f}\n", shares[0],
             shares[1], shares[2], shares[3]);
  return shares[2] + shares[3];
}

double PeakGigabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / (1 << 20);
}

}  // namespace

void RunTrace(bool full) {
  const QosWorkloadShape shape = TraceShape(full ? 25'000'000 : 2'500'000);
  const std::vector<QosHost> hosts = HostsFor(shape);
  const QosOptions options = BenchOptions();
  fmt::print("{} requests in 29 days on {} hosts\n", shape.requests, hosts.size());
  const TimedRehearsal qos = TimeRehearsal(shape, hosts, options, NewQosScheduler);
  Print("qos", qos, options);
  PrintBar("qos_trace_minutes", qos.seconds / 60, "<=", full ? 30 : 3);
  PrintBar("qos_trace_gigabytes", PeakGigabytes(), "<=", 8);
  const TimedRehearsal priority = TimeRehearsal(shape, hosts, options, NewPriorityScheduler);
  Print("priority", priority, options);
  PrintBar("qos_contended_share", Contended(priority.result, options), ">=", 0.1);
}

}  // namespace berth
