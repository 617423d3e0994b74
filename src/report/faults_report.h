// What `berth simulate faults` tells: which faults there were, what was asked and committed in
// spite of them, and whether all promises held.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "sim/faults/seeds.h"

namespace berth {

// The faults, and the work.
std::vector<Table> FaultTables(const FaultSeedsResult& result);

// In a sentence.
std::string FaultsVerdict(const FaultSeedsOptions& options, const FaultSeedsResult& result);

Report FaultsReport(const FaultSeedsOptions& options, const FaultSeedsResult& result,
                    std::string command);

}  // namespace berth
