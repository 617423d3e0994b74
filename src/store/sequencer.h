// What every store does with a change: judge it on the latest state, give it the next
// revision, install it. No threads and no disk here; a store around it makes it durable before
// anyone is told, and takes back what could not be made so.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "berth/store.h"
#include "fleet/inventory.h"

namespace berth {

// What becomes of a placement decided on an old view of its machine or service, if the validator
// still holds. Conflicts are for rehearsing what merging is worth.
enum class StalePlacements : std::uint8_t { kMerge, kConflict };

class Sequencer {
 public:
  // `undoable`: steps remember what they replaced. `latest` is the time of the last commit in the
  // inventory.
  Sequencer(Inventory inventory, bool undoable, Time latest = {},
            StalePlacements stale_placements = StalePlacements::kMerge);

  struct Step {
    CommitReply reply;
    std::shared_ptr<const Committed> committed;  // Null unless committed.
    std::vector<Update> before;  // What it replaced, if undoable: install in reverse to undo.
    Inventory::Marks marks;
  };
  Step Take(ChangeSet change, Time now);
  // Takes back a step, the latest first: it is as if it had never been taken.
  void Undo(const Step& step);
  // Takes over what another process committed: the next revision.
  void Learn(const Committed& committed);
  // The answer to a change that the store cannot take, whatever the validator says.
  CommitReply Refuse(const ChangeSet& change, Violation violation) const;

  const Inventory& inventory() const { return inventory_; }

 private:
  void SweepExpired(Time now, std::vector<Update>& updates);
  void NoteExpiry(const Update& update);

  Inventory inventory_;
  bool undoable_;
  Time latest_;  // Commit times never run backwards.
  StalePlacements stale_placements_;
  std::set<std::pair<Time, std::string>> expiries_;  // Of idempotency records.
};

}  // namespace berth
