// The tables of a packing rehearsal: what was refused, what rules did, how agents got on, what they
// kept.
#pragma once

#include <vector>

#include "report/report.h"
#include "sim/packing.h"

namespace berth {

std::vector<Table> PackingTables(const PackingResult& result);

}  // namespace berth
