// The requests behind a log. A log keeps what came of requests, not the requests themselves, so
// they are worked out from what each commit changed.
//
// What the engine does of its own accord (moving off machines that fail or drain, placing those
// that wait) is no request: a replay's engine does it again in its own way. A refused request left
// only its decision; what it asked for is unknown.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "berth/request.h"
#include "fleet/inventory.h"
#include "sim/recorded_log.h"

namespace berth {

// A change of the fleet that was committed past the engine, such as a fleet file loaded.
struct Loaded {
  std::vector<Operation> operations;
};

struct RecordedRequest {
  Revision revision{};
  Time at;
  std::variant<Action, Loaded> what = {};
  std::optional<Decision> decision = {};  // As recorded; none for reports and what was loaded.
  // The decision's. A report has none but takes a number too: the one after the last in the log.
  DecisionId number = {};
};

struct RecordedRequests {
  std::vector<RecordedRequest> requests;                 // In the order of their commits.
  std::map<std::string, std::uint64_t> unknown_by_rule;  // Refused then: by the rule that did.
  std::uint64_t conflicts = 0;                           // That the decisions met then.
};

// `start` is the fleet where the log begins.
RecordedRequests RequestsOf(const RecordedLog& log, const Inventory& start);

// Whether it asks something of a service, not of the fleet or the policy, and is no mere report.
bool IsAboutAService(const RecordedRequest& request);

// "create web", "health m3": for people.
std::string Describe(const RecordedRequest& request);

}  // namespace berth
