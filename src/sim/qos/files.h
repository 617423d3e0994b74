// Reads hosts and workloads in the formats of the paper's public repository. A file is read whole
// and checked before anything runs: every error names its file and line.
#pragma once

#include <string>
#include <vector>

#include "berth/status.h"
#include "fleet/settings.h"
#include "sim/qos/workload.h"

namespace berth {

inline constexpr std::size_t kQosHostsMax = 1'000'000;
inline constexpr std::size_t kQosFileRequestsMax = 5'000'000;

// {id,"name",cpu,memory,[{"key","value"}]}. a line.
Result<std::vector<QosHost>> ReadQosHosts(const std::string& path);

// Either {time,task,job,duration,cpu,memory,priority,anti-affinity,[constraints]}. a line, the
// class by Google's priorities (above 8 gold, 2 to 8 silver, below bronze); or time, task, job,
// user, anti-affinity, priority, duration, -1, cpu, memory, class, target separated by commas, the
// classes called prod, batch and free or by their own names. Times and durations are in seconds.
Result<std::vector<QosRequest>> ReadQosWorkload(const std::string& path,
                                                const std::vector<ServiceClass>& classes);

// "hot,1.5" or "cold,2.25" a line: what allocations take, in seconds.
struct QosOverheads {
  std::vector<Duration> hot;
  std::vector<Duration> cold;
};
Result<QosOverheads> ReadQosOverheads(const std::string& path);

// "host,from,until" a line, in seconds: when which host is away.
Result<std::vector<QosOutage>> ReadQosOutages(const std::string& path,
                                              const std::vector<QosHost>& hosts);

}  // namespace berth
