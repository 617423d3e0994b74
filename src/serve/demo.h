// Something to look at: a generated day, played fast against a server through its API, with a small
// actuator that reports what was placed as started.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "berth/status.h"
#include "fleet/fleet_file.h"

namespace berth {

struct DemoOptions {
  std::uint32_t machines = 300;
  std::int64_t times_faster = 288;  // A day in five minutes.
  std::uint64_t seed = 1;
};

// The zone that it plays on.
Result<FleetFile> DemoFleet(const DemoOptions& options);

class Demo {
 public:
  virtual ~Demo() = default;  // Stops.
};

// Plays one day after the other against the gRPC server at `address`, until it is destroyed. `say`
// is told a line now and then, on a thread of the demo's.
Result<std::unique_ptr<Demo>> StartDemo(const FleetFile& fleet, const std::string& address,
                                        const DemoOptions& options,
                                        std::function<void(const std::string& line)> say);

}  // namespace berth
