// The store that forgets: everything in memory, nothing survives the process. For rehearsal and
// tests, and the reference that the durable stores are compared with.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "berth/store.h"
#include "store/sequencer.h"
#include "store/watchers.h"

namespace berth {

class MemoryStore final : public Store {
 public:
  // Begins with this state and an empty log.
  explicit MemoryStore(LogRetention retention = {}, Inventory inventory = {},
                       StalePlacements stale_placements = StalePlacements::kMerge);

  void Commit(ChangeSet change, Executor& reply_on, CommitDone done) override;
  void Read(Executor& reply_on, SnapshotDone done) override;
  std::unique_ptr<Watch> WatchFrom(Revision from, Executor& reply_on, OnEvent on_event) override;
  void ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) override;
  StoreStats stats() const override;

 private:
  void Compact(Time now);
  std::optional<Revision> RevisionOf(const DecisionId& id) const;

  const LogRetention retention_;
  mutable std::mutex mutex_;
  Sequencer sequencer_;
  Watchers watchers_;
  std::deque<std::shared_ptr<const Committed>> log_;
  std::uint64_t commits_ = 0;
  // Where each agent's decisions are in the log, by their sequence.
  ByText<std::deque<std::pair<std::uint64_t, Revision>>> decisions_;
};

}  // namespace berth
