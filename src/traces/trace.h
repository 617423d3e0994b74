// A trace: services in the order in which they ask for room, and how long each stays.
//
//   BERTH_TRY(const std::unique_ptr<Trace> trace, OpenTrace("azure_v1:vms.csv.gz", {.seed = 42}));
//   for (;;) {
//     BERTH_TRY(std::optional<Arrival> arrival, trace->Next());
//     if (!arrival) break;
//   }
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "berth/records.h"
#include "berth/status.h"
#include "berth/time.h"

namespace berth {

struct Arrival {
  Time at;          // Since the trace's start.
  Service service;  // Its types are the fleet's or the trace's own; its tenant may be new.
  std::optional<Duration> lifetime;  // None: it stays.

  friend bool operator==(const Arrival&, const Arrival&) = default;
};

// What was read, what was ignored and what was assumed, for the report.
struct TraceNotes {
  std::vector<std::string> lines;
};

class Trace {
 public:
  virtual ~Trace() = default;
  // The next arrival, never earlier than the one before; none at the end. Streams: memory does not
  // grow with the trace, but for the names of tenants; a format that must be read to its end first
  // has a limit on its rows. An error names file, line and column, and ends the trace.
  virtual Result<std::optional<Arrival>> Next() = 0;
  // Types that the arrivals use and the fleet may not know; all known before the first arrival.
  virtual std::vector<InstanceType> Types() const = 0;
  virtual TraceNotes Notes() const = 0;
};

}  // namespace berth
