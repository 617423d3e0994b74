// Generates a zone like Protean's: hardware generations, clusters, racks, types and tenants.
#pragma once

#include <cstdint>
#include <string>

#include "berth/status.h"
#include "fleet/fleet_file.h"

namespace berth {

struct ZoneOptions {
  std::uint32_t machines = 2000;  // 1 to kMachinesMax.
  std::string name = "zone-1";
};

// Machines of four generations with 10, 24, 40 and 48 cores in the shares of the paper's table 1.
// A cluster is of one generation and has about a thousand machines in large zones, a twelfth of
// the machines in small ones; racks hold 20, rows ten racks.
Result<FleetFile> GenerateZone(const ZoneOptions& options);

}  // namespace berth
