// What `berth sweep` tells: every combination, and what it costs and keeps.
#pragma once

#include <string>
#include <vector>

#include "appsim/sweep/run_sweep.h"
#include "report/report.h"

namespace berth {

Report SweepReport(const Sweep& sweep, const std::vector<SweepCell>& cells, std::string command);

}  // namespace berth
