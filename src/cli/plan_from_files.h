// A plan from files: what was measured, how it is to be scaled, and what instances and nodes are
// like.
#pragma once

#include "cli/command.h"
#include "scale/space/autoscaler.h"

namespace berth {

struct ShownPlan {
  ScalingPlan plan{};
  ScaledApplication application{};
};

// By --load, --policy, --model, --prices and --instances.
Result<ShownPlan> PlanFromFiles(const Invocation& given);

}  // namespace berth
