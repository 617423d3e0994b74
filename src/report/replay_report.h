// What `berth what-if policy` tells: tables on the terminal and the report on disk.
#pragma once

#include <string>

#include "report/report.h"
#include "sim/replay.h"

namespace berth {

struct ReplayOf {
  std::string store;  // As the user named them.
  std::string policy;
  std::string command;  // The command line that does it again.
};

Report ReplayReport(const ReplayComparison& comparison, const ReplayOf& run);

}  // namespace berth
