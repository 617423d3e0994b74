// Rehearses a trace on a fleet in virtual time, through the engine and a store exactly as live, and
// measures how well the machines were filled.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "berth/engine.h"
#include "fleet/fleet_file.h"
#include "traces/trace.h"

namespace berth {

struct PackingOptions {
  std::uint32_t agents = 1;
  std::string policy;             // Text; empty: the shipped one.
  std::optional<Duration> until;  // None: to the trace's end.
  Duration sample_every = std::chrono::minutes(5);
};

// The fleet at one moment.
struct PackingSample {
  Time at;
  double utilisation = 0;  // Allocated over all cores.
  double density = 0;      // Allocated cores over those of machines that are not empty.
  double memory = 0;       // Allocated over all memory.
  std::uint64_t instances = 0;
  std::uint64_t machines_in_use = 0;
  std::uint64_t waiting = 0;
  std::uint64_t requests = 0;  // So far,
  std::uint64_t refused = 0;   // and of them refused.
};

// How much a rule narrows the choice: machines left after it over machines before it, on average.
struct RuleEffect {
  std::string rule;
  bool validator = true;
  std::uint64_t asked = 0;
  double kept = 0;  // Mean share.
};

struct PackingResult {
  std::vector<PackingSample> samples;
  std::uint64_t requests = 0;
  std::uint64_t accepted = 0;
  std::uint64_t instances = 0;  // Placed in all.
  std::uint64_t departures = 0;
  std::map<std::string, std::uint64_t> refusals;  // By the rule that decided it.
  std::vector<RuleEffect> rules;                  // In their order.
  EngineStats engine;
  std::uint64_t machines = 0;
  std::uint64_t cores = 0;
  double mean_utilisation = 0;  // Over the samples.
  double mean_density = 0;
  double peak_utilisation = 0;
  TraceNotes notes;
  std::uint64_t unseed = 0;  // A digest of every decision: same inputs, same number.
};

// `progress` is told the virtual time reached, now and then.
Result<PackingResult> SimulatePacking(const FleetFile& fleet, Trace& trace,
                                      const PackingOptions& options,
                                      const std::function<void(Time)>& progress);

}  // namespace berth
