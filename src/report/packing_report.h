// What `berth simulate packing` tells: the table on the terminal and the report on disk.
#pragma once

#include <string>

#include "report/report.h"
#include "sim/packing.h"

namespace berth {

struct RunOf {
  std::string fleet;  // As the user named them.
  std::string trace;
  std::string policy;
  std::string command;  // The command line that does it again.
  std::uint64_t seed = 0;
};

Report PackingReport(const PackingResult& result, const RunOf& run);

}  // namespace berth
