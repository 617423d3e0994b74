// The store that forgets: everything in memory, nothing survives the process. For rehearsal and
// tests, and the reference that the durable stores are compared with.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "berth/store.h"
#include "store/sequencer.h"
#include "store/watchers.h"

namespace berth {

class MemoryStore final : public Store {
 public:
  explicit MemoryStore(LogRetention retention = {});

  void Commit(ChangeSet change, Executor& reply_on, CommitDone done) override;
  void Read(Executor& reply_on, SnapshotDone done) override;
  std::unique_ptr<Watch> WatchFrom(Revision from, Executor& reply_on, OnEvent on_event) override;
  void ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) override;

 private:
  void Compact(Time now);

  const LogRetention retention_;
  std::mutex mutex_;
  Sequencer sequencer_;
  Watchers watchers_;
  std::deque<std::shared_ptr<const Committed>> log_;
  std::map<DecisionId, Revision> decisions_;
};

}  // namespace berth
