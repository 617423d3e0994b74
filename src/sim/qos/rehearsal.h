// Rehearses a workload under a scheduler in virtual time: admissions, allocations hot and cold,
// completions, hosts that fail and come back, and the watchdog.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "fleet/settings.h"
#include "qos/metrics.h"
#include "qos/scheduler.h"
#include "sim/qos/workload.h"

namespace berth {

struct QosOptions {
  std::vector<ServiceClass> classes;
  Duration watchdog = std::chrono::seconds(10);
  Duration allocation_time{};  // What the scheduler expects an allocation to take at most.
  // What allocations take, one drawn each time: where it ran before, and where it did not.
  std::vector<Duration> hot = {std::chrono::seconds(2)};
  std::vector<Duration> cold = {std::chrono::seconds(3)};
  std::vector<QosOutage> outages;  // In the order of `from`.
  std::optional<Time> until;       // None: until the last request is done.
  bool admission = false;          // Refuse what would break promises already made.
  bool keep_availabilities = true;
  bool keep_fairness = true;  // Gini in every interval.
  std::uint64_t seed = 1;
};

inline constexpr Duration kQosInterval = std::chrono::minutes(10);

struct QosClassOutcome {
  std::uint64_t requests = 0;  // Admitted.
  std::uint64_t refused = 0;
  std::uint64_t fulfilled = 0;
  std::uint64_t preemptions = 0;
  double availability_sum = 0;
  double availability_least = 1;
  double deficit_sum = 0;
  double penalty_cpu_hours = 0;
};

struct QosResult {
  std::vector<QosClassOutcome> classes;
  std::vector<std::vector<ClassInInterval>> intervals;  // Then by class.
  // By the order of arrival; what was still alive at the end, as it stood. NaN: refused.
  std::vector<float> availabilities;
  std::vector<std::uint8_t> class_of;  // Of the same.
  std::uint64_t events = 0;
  std::uint64_t passes = 0;
  std::uint64_t placements = 0;
  std::uint64_t unfinished = 0;
  std::uint64_t waiting_peak = 0;
  std::uint64_t alive_peak = 0;
  Time end;
  std::uint64_t unseed = 0;  // A digest of every decision.
};

using NewScheduler = std::unique_ptr<Scheduler> (*)(SchedulerOptions options,
                                                    const HostFilter& filter);
// "qos" or "priority"; null if it is neither.
NewScheduler FindScheduler(std::string_view name);

// `progress` is told the time reached, now and then.
Result<QosResult> RehearseQos(const std::vector<QosHost>& hosts, QosWorkload& workload,
                              const QosOptions& options, NewScheduler new_scheduler,
                              const std::function<void(Time)>& progress);

}  // namespace berth
