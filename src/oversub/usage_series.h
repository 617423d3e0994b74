// Demand traces from a file of usage: what each instance took, row by row.
//
// CSV with the columns at_ms, instance, type, role, cpu_milli, memory_bytes and disk_bytes: the
// names and units of the samples that a server takes. Of each instance rows come in the order of
// their time; of one step of ten minutes the greatest counts, and what is not told is as before. In
// the mean there is a row a day or more, or what is not told would outgrow what is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/lines.h"
#include "berth/status.h"
#include "oversub/demand_trace.h"

namespace berth {

struct UsageTraces {
  std::vector<DemandTrace> traces;
  std::vector<std::string> class_names;  // The types; a trace's class is its place here.
  std::uint64_t rows = 0;
  // Instances that are there at the last step of all: they may live longer than is known.
  std::uint64_t still_running = 0;
};

Result<UsageTraces> ReadUsageTraces(LineReader lines);

}  // namespace berth
