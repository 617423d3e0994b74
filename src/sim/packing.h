// Rehearses a trace on a fleet in virtual time, through the engine and a store exactly as live, and
// measures how well the machines were filled and how agents got on with each other.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "berth/engine.h"
#include "fleet/fleet_file.h"
#include "sim/latency_model.h"
#include "sim/packing_metrics.h"
#include "sim/packing_sample.h"
#include "traces/trace.h"

namespace berth {

struct PackingOptions {
  std::uint32_t agents = 1;
  std::string policy;             // Text; empty: the shipped one.
  std::optional<Duration> until;  // Of the trace; none: to its end.
  Duration sample_every = std::chrono::minutes(5);
  // What comes before is placed but not counted, and not part of the means.
  Duration warm_up{};
  // Gaps and lifetimes are so many times shorter: as many run, but requests come so much faster.
  // Durations above are those of the trace, before that.
  std::uint32_t speed_up = 1;
  LatencyModel latency;
  bool merge = true;  // Without it every placement decided on an old view of its machine conflicts.
  bool refresh_when_idle = false;  // Agents bring what they keep up to date between requests.
  std::uint64_t seed = 1;          // Of the thoughts that are drawn.
};

// Means over the samples after the warm-up.
struct PackingMeans {
  double utilisation = 0;
  double peak_utilisation = 0;
  double density = 0;
  double density_bound = 0;
  double machines_in_use = 0;
  double machines_bound = 0;
};

struct PackingResult {
  std::vector<PackingSample> samples;
  PackingMeans means;
  Requests requests;
  std::uint64_t departures = 0;
  std::vector<RuleEffect> rules;  // In their order.
  Contention contention;
  std::optional<DecisionTimes> times;  // If anything takes time.
  CacheUse cache;
  std::uint64_t machines = 0;
  std::uint64_t cores = 0;
  TraceNotes notes;
  std::uint64_t unseed = 0;  // A digest of every decision: same inputs, same number.
};

// `progress` is told the trace's time reached, now and then.
Result<PackingResult> SimulatePacking(const FleetFile& fleet, Trace& trace,
                                      const PackingOptions& options,
                                      const std::function<void(Time)>& progress);

}  // namespace berth
