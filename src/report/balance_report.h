// What `berth balance --what-if` tells: tables for people, JSON for whoever makes the moves.
#pragma once

#include <string>

#include "oversub/balance_plan.h"
#include "report/report.h"

namespace berth {

// `command` gives it again.
Report BalanceReport(const BalancePlan& plan, std::string command, std::uint64_t seed);

// {"before": {"violated_now", "expected_violations", "imbalance", "fragmentation", "energy"},
//  "after": {...}, "moves": [{"instance", "type", "from", "to", "expected_violations"}],
//  "refused": [{"instance", "to", "because"}], "machines": [{"machine", "violated_now", ...}]}
std::string ToJson(const BalancePlan& plan);

}  // namespace berth
