// What `berth plan` tells: a table for people, plots. The plan as data is
// scale/space/scaling_plan.h.
#pragma once

#include <string>

#include "report/report.h"
#include "scale/space/autoscaler.h"

namespace berth {

// A row a state: how many of each service, between which bounds, on which nodes at what price an
// hour, and why.
Table PlanTable(const ScalingPlan& plan, const ScaledApplication& application);

Report PlanReport(const ScalingPlan& plan, const ScaledApplication& application,
                  std::string command);

}  // namespace berth
