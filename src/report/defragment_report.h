// What `berth what-if defragment` tells: tables for people, JSON for whoever makes the moves.
#pragma once

#include <string>
#include <vector>

#include "allocate/what_if/defragment.h"
#include "report/report.h"

namespace berth {

// What it would gain, the moves in order if there are any, and the fragmented machines.
std::vector<Table> DefragmentTables(const DefragmentPlan& plan, std::uint64_t moves_max);

// {"before": {"density", "machines_in_use", ...}, "after": {...}, "emptied": [machine],
//  "moves": [{"instance", "type", "from", "to", "could_take", "choice"}],
//  "room": [{"type", "running", "before", "after"}],
//  "fragments": [{"machine", "instances", "millicores", ...}]}
std::string ToJson(const DefragmentPlan& plan);

}  // namespace berth
