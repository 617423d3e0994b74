// What bench_qos consists of.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/qos/generate.h"
#include "sim/qos/rehearsal.h"

namespace berth {

void RunAgainstPlain(bool full);
void RunPass();
void RunLive();
void RunTrace(bool full);

// A month like Google's. Bursts, not the steady load, make its peak, so that there is contention at
// times and not always.
QosWorkloadShape TraceShape(std::uint64_t requests);

// Hosts with 90% of what a workload would need if nobody ever waited.
std::vector<QosHost> HostsFor(const QosWorkloadShape& shape);

struct TimedRehearsal {
  QosResult result;
  double seconds = 0;
};
TimedRehearsal TimeRehearsal(const QosWorkloadShape& shape, const std::vector<QosHost>& hosts,
                             const QosOptions& options, NewScheduler scheduler);

QosOptions BenchOptions();

}  // namespace berth
