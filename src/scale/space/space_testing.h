// What tests of autoscalers are made of.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scale/capacity/capacity_testing.h"
#include "scale/space/autoscaler.h"
#include "scale/space/metric_table.h"
#include "scale/space/space_policy.h"

namespace berth {

inline Time AtMinute(double minute) {
  return TimeFromMicros(static_cast<std::int64_t>(minute * 60e6));
}

// One point a minute, the first at the minute zero.
inline TimeSeries MinuteSeries(std::vector<double> values) {
  return {.start = AtMinute(0), .step = std::chrono::minutes(1), .values = std::move(values)};
}

inline ScaledService ServiceOf(std::string name, std::int64_t cpu, std::int64_t gib,
                               Duration boot = {}) {
  return {.name = std::move(name), .need = CpuAndMemory(cpu, gib), .boot = boot};
}

// All of them ready.
inline DeploymentState Running(InstanceCounts ready, std::vector<VmGroup> nodes = {}) {
  DeploymentState state{.ready = std::move(ready), .nodes = std::move(nodes)};
  state.starting.assign(state.ready.size(), 0);
  return state;
}

}  // namespace berth
