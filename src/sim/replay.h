// What another policy would have decided: the requests behind a store's log, asked again in virtual
// time through the engine, once under the policy that was in force and once under the other.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "berth/engine.h"
#include "fleet/inventory.h"
#include "fleet/packing_state.h"
#include "sim/recorded_log.h"
#include "sim/replay_requests.h"

namespace berth {

enum class ReplayAnswer : std::uint8_t {
  kAccepted,
  kWaits,    // Accepted, and some of it waits for room.
  kRefused,  // Also what cannot be asked under the policy, such as an unknown class.
  kMoot,     // The service or instance is not there, because an earlier request went otherwise.
};
std::string_view ToString(ReplayAnswer answer);

struct ReplayOutcome {
  ReplayAnswer answer = ReplayAnswer::kMoot;
  std::string rule = {};     // Of a refusal, or of what it waits for; or "invalid".
  std::string because = {};  // In a sentence.
  std::vector<Placement> placed = {};
};

struct ReplaySample {
  Time at;
  PackingState packing;
};

// One run over all requests.
struct ReplayRun {
  std::vector<ReplayOutcome> outcomes;  // One for each request.
  std::vector<ReplaySample> samples;    // Spread evenly over the requests; the last is the end.
  EngineStats engine;
  Inventory end;

  double MeanDensity() const;
  double MeanUtilisation() const;
};

struct ReplayComparison {
  RecordedRequests recorded;
  Revision from{};    // The first revision that the log holds,
  Time from_time;     // and when it was committed.
  Time until;         // When the last was.
  bool whole = true;  // The log reaches back to the first revision there ever was.
  std::uint64_t forgotten_services = 0;  // See replay_start.h.
  std::uint64_t forgotten_instances = 0;
  bool looks_ahead = false;  // One of the policies does: by limits, as the log keeps no usage.
  ReplayRun control;         // Under the policy as it was, changes of it included,
  ReplayRun other;           // and under the other all the time.
};

// `progress` is told how many requests of how many were asked, now and then. A log without requests
// about services is an error, and so is a policy under which the fleet could not have begun.
using ReplayProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;
Result<ReplayComparison> ReplayUnderPolicy(const RecordedLog& log, const std::string& policy_text,
                                           const ReplayProgress& progress);

}  // namespace berth
