// Whether what a store keeps is what it should be: the fleet's invariants, and a log that leads to
// the state.
#pragma once

#include <vector>

#include "fleet/invariants.h"
#include "store/contents.h"

namespace berth {

struct Verification {
  StoredHead head;
  std::vector<Check> checks;

  bool holds() const;
  // The log reaches back to the first revision there ever was.
  bool log_is_whole() const { return head.log_start == Revision{1}; }
};

// An error is one of the world: no store there, or one that cannot be opened at all.
Result<Verification> VerifyStore(const StoreContents& contents);

}  // namespace berth
