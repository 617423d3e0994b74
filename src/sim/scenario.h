// A scenario: a fleet, what happens to it and what must come of that, as a small text file.
//
//   # A drained machine's instances move to the machine with least room left.
//   labels   fast
//   type     small: 2cpu 4Gi
//   machines r1/a r2/b: 8cpu 32Gi
//   tenant   acme
//   service  web: acme gold 3 x small
//   drain    a
//   expect   web not on a
//
// The first line says what must hold, `labels` when it is run. docs/formats-scenario.md has the
// language; this is the parsed form, scenario_run.h drives it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "berth/engine.h"
#include "fleet/inventory.h"

namespace berth {

// What an expectation looks at.
struct Situation {
  const Inventory& view;
  const Reply& last;  // To the latest request.
  std::uint64_t decisions = 0;
  EngineStats stats;
  const Sizer& sizer;
  const Replicator& replicator;
};
// What was found instead; none if it is as expected.
using Expectation = std::function<std::optional<std::string>(const Situation&)>;

// Not a request: the engine drains first and removes afterwards.
struct Decommission {
  MachineId machine;
};
// What an instance was seen to use; nothing is asked.
struct ObserveUsage {
  InstanceId instance;
  Resources usage;
};
using Deed = std::variant<Request, Decommission, ObserveUsage>;

// What must come of a deed.
struct ExpectedReply {
  enum class Answer : std::uint8_t { kAccepted, kRefused, kInvalid };
  Answer answer = Answer::kAccepted;
  std::optional<RuleId> because;  // The refusal's rule,
  std::optional<Cure> cure;       // its cure,
  std::string says;               // and a part of its sentence, or of the error.
};

struct DoDeed {
  std::vector<Deed> deeds;  // One after the other.
  ExpectedReply wanted;
  bool together = false;  // Without waiting for the answer to the line before.
};
struct DoAdvance {
  Duration by{};
};
// Time passes while the instances of a service, or one of them, use so much.
struct DoUse {
  std::string service = {};
  std::optional<std::uint32_t> number = std::nullopt;
  Resources usage = {};  // What is not written is less than nothing.
  Duration span{};
  bool together = false;  // All of them, in equal parts and each up to its limit.
};
// Time passes while a metric of a service is so much.
struct DoMeasure {
  std::string service;
  std::string metric;
  double value = 0;
  Duration span{};
};
// The process ends, with what it saves, and another begins.
struct DoRestart {};
struct DoExpect {
  Expectation holds;
};
struct DoExplain {
  std::optional<DecisionId> decision;  // None: the latest.
  std::vector<std::string> contains;
};
struct DoWhyNot {
  std::string service;
  std::optional<std::uint32_t> number;  // None: one more instance.
  MachineId machine;
  std::vector<std::string> contains;
};

struct ScenarioStep {
  std::size_t line = 0;
  std::string text;  // As written, without its comment.
  std::variant<DoDeed, DoAdvance, DoUse, DoMeasure, DoRestart, DoExpect, DoExplain, DoWhyNot> what;
};

struct Scenario {
  std::string file;
  std::string about;
  std::vector<std::string> labels;
  std::uint32_t agents = 1;
  std::vector<ScenarioStep> steps;
};

inline constexpr std::size_t kScenarioMachinesMax = 100'000;

// Files that it names are looked for beside it. Errors read FILE:LINE:COLUMN: what; what to do.
Result<Scenario> ParseScenario(std::string_view text, const std::string& file);
Result<Scenario> ReadScenario(const std::string& path);

}  // namespace berth
