// A store's decision log, read whole: what happened to a fleet, as far back as it is kept.
#pragma once

#include <memory>
#include <vector>

#include "fleet/inventory.h"
#include "sim/store_bridge.h"

namespace berth {

struct RecordedLog {
  std::shared_ptr<const Inventory> now;                   // The fleet at the log's end.
  std::vector<std::shared_ptr<const Committed>> commits;  // Oldest first.

  // Reaches back to the first revision there ever was.
  bool whole() const { return commits.size() == ToNumber(now->revision()); }
};

// `executor` is the one that the bridge serves.
Result<RecordedLog> ReadRecordedLog(StoreBridge& bridge, VirtualExecutor& executor);

}  // namespace berth
