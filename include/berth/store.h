// The authoritative store: the one writer of the fleet's state.
//
// Commit is atomic over everything a change names and durable before it answers. A change made from
// a stale view is merged when the validator still holds on the latest state; otherwise the answer
// is a conflict that carries the latest records. All calls are thread-safe and answer through the
// Executor they are given, never inside the call; executors outlive the store.
//
// A reply comes after every watch event up to its revision that the same executor is owed. So when
// an agent learns of a conflict, its view stands exactly at the reply's revision, and installing
// the reply's records takes back what it had placed tentatively.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "berth/change.h"
#include "berth/executor.h"
#include "berth/status.h"

namespace berth {

class Inventory;

// One revision of the decision log: what it changed, in order.
struct Committed {
  Revision revision{};
  Time at;
  std::vector<Update> updates;
};

struct CommitReply {
  enum class Outcome : std::uint8_t {
    kCommitted,
    kConflict,   // Stale and no longer valid: learn `latest`, decide again.
    kRefused,    // Not valid on the very state it was made from: `violation` says why.
    kDuplicate,  // Its idempotency key was answered before: `duplicate_of` is that decision.
    kFailed,     // The store could not do it: `status` says why. After a failed sync it may still
                 // turn out to have been done: read again before asking again.
  };
  Outcome outcome = Outcome::kFailed;
  Revision revision{};  // Of the commit, or of the state that it conflicted with.
  bool merged = false;  // Committed although the view was stale.
  std::optional<Violation> violation;
  // Not committed: every record that the change named, as it is now. (Not known when kFailed.)
  std::vector<Update> latest;
  DecisionId duplicate_of;
  Status status;
};

struct WatchEvent {
  // The next revision; null when the log no longer reaches back that far, and then `compacted` is
  // the revision of a snapshot to read first.
  std::shared_ptr<const Committed> committed;
  Revision compacted{};
};

// What a store has done so far.
struct StoreStats {
  Revision revision{};        // The newest that it knows.
  std::uint64_t commits = 0;  // Made by this process,
  std::uint64_t syncs = 0;    // made durable by so many writes,
  Duration syncing{};         // which took so long in all.
};

class Watch {
 public:
  virtual ~Watch() = default;  // Destroying it stops the events; none arrives afterwards on the
                               // thread that destroyed it.
};

class Store {
 public:
  using CommitDone = std::function<void(CommitReply)>;
  using SnapshotDone = std::function<void(Result<std::shared_ptr<const Inventory>>)>;
  using DecisionDone = std::function<void(Result<Decision>)>;
  using OnEvent = std::function<void(const WatchEvent&)>;

  virtual ~Store() = default;

  virtual void Commit(ChangeSet change, Executor& reply_on, CommitDone done) = 0;
  // The whole state at one revision.
  virtual void Read(Executor& reply_on, SnapshotDone done) = 0;
  // Every revision after `from`, in order and without gaps.
  virtual std::unique_ptr<Watch> WatchFrom(Revision from, Executor& reply_on, OnEvent on_event) = 0;
  // A decision that the log still holds.
  virtual void ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) = 0;
  // From any thread. A store that counts nothing says so with zeros.
  virtual StoreStats stats() const { return {}; }
};

// How much of the decision log is kept: whatever exceeds either bound is compacted, oldest first.
struct LogRetention {
  Duration age = std::chrono::hours(24 * 30);
  std::size_t revisions = 1'000'000;
};

}  // namespace berth
