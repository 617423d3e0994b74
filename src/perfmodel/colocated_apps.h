// Applications that share a machine, simulated: what they deliver under given loads and limits.
//
// Each is a closed loop: its clients have so many requests under way at any time. A request waits
// for something other than cpu for a while, longer when the others keep the machine busy, and takes
// cpu, of which the application has its limit. What cannot be foreseen from loads and limits is
// drawn: how fast the machine is just now, which all applications feel, noise of each, and in an
// application that collects garbage, pauses, which its neighbours feel, and requests that fail at
// once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "berth/rng.h"

namespace berth {

struct SimulatedApp {
  std::string name{};
  double cpu_milli_seconds = 1;  // Of one request: so many milli-cores for a second.
  double wait_ms = 200;          // Of one request, on an idle machine.
  double feels_others = 0.5;     // How much longer the wait is when the others fill the machine.
  double pause_share = 0;        // How often a garbage collection is in the way.
  double failure_share = 0;      // How often requests fail, which is fast.
};

// A hard limit holds always; a soft one is a share, and what others leave idle may be used.
enum class LimitKind : std::uint8_t { kHard, kSoft };

struct DeliveredSlis {
  double response_ms = 0;  // 99th percentile.
  double throughput_rps = 0;
};

class ColocatedApps {
 public:
  ColocatedApps(std::vector<SimulatedApp> apps, double machine_cpu_milli, LimitKind kind)
      : apps_(std::move(apps)), machine_cpu_milli_(machine_cpu_milli), kind_(kind) {}

  const std::vector<SimulatedApp>& apps() const { return apps_; }

  // One measurement.
  std::vector<DeliveredSlis> Measure(std::span<const double> loads,
                                     std::span<const double> limits_cpu_milli, Rng& rng) const;

 private:
  std::vector<double> CpuOf(std::span<const double> limits, std::span<const double> used) const;

  std::vector<SimulatedApp> apps_;
  double machine_cpu_milli_;
  LimitKind kind_;
};

// A web server, an application server that collects garbage and a guest book of three tiers, on
// four cores.
ColocatedApps ThreeColocatedApps(LimitKind kind);
// As many as asked for, alike but not equal, on a core and a third for each.
ColocatedApps ManyColocatedApps(std::size_t count, LimitKind kind);

}  // namespace berth
