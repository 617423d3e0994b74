// Generates a workload with the published statistics of Protean, for a fleet of any size.
//
// Where they are from and which of them are ours is in lifetimes.h, arrival_times.h,
// request_shapes.h and vm_catalogue.h.
#pragma once

#include <cstdint>
#include <memory>

#include "berth/status.h"
#include "berth/time.h"
#include "fleet/fleet_file.h"
#include "traces/trace.h"
#include "traces/vm_catalogue.h"

namespace berth {

struct WorkloadOptions {
  std::uint64_t seed = 1;
  Duration length = std::chrono::hours(24);
  ProteanZone like = ProteanZone::kZone1;
  // The share of the fleet's cores that the steady state fills, 1 to 200: requests arrive as fast
  // as that takes.
  std::uint32_t fill_percent = 78;
  // Begin with what runs in the steady state, all of it arriving at time zero. Otherwise the fleet
  // begins empty, and weeks pass until it is full.
  bool start_full = true;
};

// Streams; the same options and fleet give the same arrivals. Tenants are the fleet's, or
// `tenant-1` to `tenant-50` if it has none.
Result<std::unique_ptr<Trace>> GenerateWorkload(const FleetFile& fleet,
                                                const WorkloadOptions& options);

}  // namespace berth
