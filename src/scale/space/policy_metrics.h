// The metrics of a group in a policy file.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "berth/status.h"
#include "scale/space/space_policy.h"

namespace berth {

// What is foreseen where nothing is said: the last value stays.
inline constexpr std::string_view kReactiveForecaster = "last_value";

// `group` is where they stand, `items` are they.
Result<std::vector<GroupMetric>> ReadGroupMetrics(const Node& group, std::span<const Node> items);

}  // namespace berth
