// What `berth simulate app` tells of a folder of the Multiverse simulator: how many requests were
// fulfilled in each cell, how fast and at what cost.
#pragma once

#include <string>
#include <vector>

#include "appsim/multiverse/simulate.h"
#include "report/report.h"

namespace berth {

Report MultiverseReport(const std::vector<multiverse::CellResult>& cells, const std::string& folder,
                        std::string command, std::uint64_t seed);

// The quirks and which version has them.
Table QuirksTable();

}  // namespace berth
