// The one validator. What a change set does to the state it meets, or why it may not.
//
// The same function runs in an agent before it commits, in the store at commit, in rehearsal and in
// what-if. It reads the inventory and changes nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "berth/change.h"
#include "fleet/inventory.h"

namespace berth {

struct Judgement {
  std::vector<Update> updates;   // What to install, in order; revisions are the store's to fill.
  std::vector<RecordKey> named;  // Every record that its validity depends on.
  std::optional<Violation> violation;      // Then there are no updates.
  std::optional<DecisionId> duplicate_of;  // Its idempotency key was answered before.
  bool stale = false;                      // A record it names changed after `seen`.
};

// What of a judgement is looked at; the rest need not be worked out.
enum class Wanted : std::uint8_t {
  kEverything,
  // `named` only of what is not accepted; no updates that say nothing about the fleet: decisions,
  // answers.
  kToInstall,
};

Judgement Judge(const Inventory& inventory, const ChangeSet& change, Time now,
                Wanted wanted = Wanted::kEverything);
// The same, to commit: the updates take over the records of the change.
Judgement Judge(const Inventory& inventory, ChangeSet&& change, Time now);

}  // namespace berth
