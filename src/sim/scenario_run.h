// Drives a scenario: the engine and a store on a virtual executor, from a seed.
//
// The same scenario and seed give the same decisions, and the unseed says so: a digest of all of
// them and of one last draw. Two runs that differ in it are not deterministic.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sim/scenario.h"

namespace berth {

struct ScenarioOptions {
  std::uint64_t seed = 1;  // Of the order in which requests that start together arrive.
};

// What came of one line.
struct StepOutcome {
  std::size_t line = 0;
  std::string text;      // As written.
  std::string happened;  // "accepted a0-4: web/0 on a", "ok", or what was found instead.
  bool held = true;
};

struct ScenarioResult {
  bool held = true;
  std::string failure;  // FILE:LINE:COLUMN: what was wanted; what was found.
  std::uint64_t seed = 0;
  std::uint64_t decisions = 0;
  std::uint32_t unseed = 0;
};

// Stops at the first line that does not hold. The store must hold nothing yet.
Result<ScenarioResult> RunScenario(const Scenario& scenario, Store& store,
                                   const ScenarioOptions& options,
                                   const std::function<void(const StepOutcome&)>& on_step);

}  // namespace berth
