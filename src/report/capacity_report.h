// What `berth capacity` tells: tables for people, JSON for programs, plots.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "scale/capacity/capacity_answer.h"

namespace berth {

// In the order in which they are to be read: steps, confidence, providers, others.
std::vector<Table> CapacityTables(const CapacityAnswer& answer);

Report CapacityReport(const CapacityAnswer& answer, const LoadForecast& load, std::string command);

// {"currency", "quantile", "step_s", "cost", "cost_at_least", "changes",
//  "steps": [{"at_ms", "load", "instances": {service: n}, "vms": {type: n}, "started": {type: n},
//             "stopped": {type: n}, "order_by_ms", "cost"}],
//  "confidence": [{"quantile", "cost"}], "providers": [{"provider", "cost"}],
//  "baselines": [{"name", "cost"}], "notes"}; a cost that does not exist is null.
std::string ToJson(const CapacityAnswer& answer);

}  // namespace berth
