// Writing a trace in Berth's own format.
#pragma once

#include <functional>
#include <string_view>

#include "berth/status.h"
#include "traces/trace.h"

namespace berth {

// Takes a piece of the text, whole lines each.
using TraceSink = std::function<Status(std::string_view)>;

// Reads the trace to its end and writes it, types first. What is written reads back as the same
// arrivals. Fails if reading or the sink fails, or if two arrivals in a row have one service's
// name, which the format cannot tell apart.
Status WriteTrace(Trace& trace, const TraceSink& sink);

}  // namespace berth
