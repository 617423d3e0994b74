// What bench_qos consists of.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "sim/qos/generate.h"
#include "sim/qos/rehearsal.h"

namespace berth {

void RunAgainstPlain(bool full);
void RunPass();
void RunLive();
void RunTrace(bool full);

// Hosts with 90% of what a workload would need if nobody ever waited.
std::vector<QosHost> HostsFor(const QosWorkloadShape& shape);

struct TimedRehearsal {
  QosResult result;
  double seconds = 0;
};
TimedRehearsal TimeRehearsal(const QosWorkloadShape& shape, const std::vector<QosHost>& hosts,
                             const QosOptions& options, NewScheduler scheduler);

QosOptions BenchOptions();

class WallTimer {
 public:
  double Seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace berth
