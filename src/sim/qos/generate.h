// Generates workloads and hosts that look like Google's trace of 2011: jobs of a few or many equal
// tasks, most of them short and of low priority, a day's rhythm and bursts every few hours, hosts
// in several sizes, and constraints on some jobs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "berth/rng.h"
#include "sim/qos/workload.h"

namespace berth {

struct QosWorkloadShape {
  std::uint64_t requests = 0;
  Duration length = std::chrono::hours(24) * 29;
  std::uint64_t seed = 1;
  // The share of all requests that the largest of the bursts has.
  double burst_share_most = 0.0004;
};

// Of gold, silver and bronze, which are classes 0, 1 and 2.
std::unique_ptr<QosWorkload> GenerateQosWorkload(const QosWorkloadShape& shape);

// The most cpu and memory in use at once if nobody ever waits: the larger is the paper's N.
Result<Resources> PeakDemand(QosWorkload& workload);

// Hosts drawn until they have `share_percent` of the larger peak in that resource.
std::vector<QosHost> GenerateQosHosts(const Resources& peak, std::int64_t share_percent, Rng rng);

}  // namespace berth
