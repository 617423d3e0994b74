// What must be true of a store's directory after whatever happened to it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "berth/ids.h"
#include "berth/store.h"
#include "fleet/inventory.h"

namespace berth {

// Decisions that were acknowledged, with the revision in the reply.
using Acknowledged = std::map<DecisionId, Revision>;

// Opens the store and looks for everything that could be wrong: an acknowledged decision that is
// not there exactly once at its revision, gaps in the log, a state that the log does not lead to,
// services that are not whole, sums that do not add up. Each problem is a sentence.
std::vector<std::string> FindProblems(const std::string& directory,
                                      const Acknowledged& acknowledged);

// The same of a store that is open, if its log holds everything.
std::vector<std::string> FindProblems(Store& store, const Acknowledged& acknowledged);

// The part about the state alone.
void CheckSums(const Inventory& inventory, std::vector<std::string>& problems);

}  // namespace berth
