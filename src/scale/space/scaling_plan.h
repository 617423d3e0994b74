// A plan in words and as data: shown, stored, and restored as it was.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "scale/space/autoscaler.h"

namespace berth {

// Services and node types by their names. The counts of a state are of the services in their order.
std::string PlanToJson(const ScalingPlan& plan, const ScaledApplication& application);

// The plan that PlanToJson wrote, of the same application: services and types must be among those
// that it has. At most kStoredStatesMax states.
Result<ScalingPlan> PlanFromJson(std::string_view text, const std::string& file_name,
                                 const ScaledApplication& application);

inline constexpr std::size_t kStoredStatesMax = 10'000;

// "2 north/small, 1 south/s8".
std::string NodesInWords(const std::vector<VmGroup>& nodes, const ScaledApplication& application);

// What is in force at a time: the last state due by then; none before the first.
const PlannedState* StateDueBy(const ScalingPlan& plan, Time at);

}  // namespace berth
