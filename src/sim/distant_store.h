// A store some way off: commits take a while to reach it, answers and news a while to come back.
//
// All ways are equally long, so what a store tells in order arrives in order, and the store's
// promise that an answer comes after the news up to it still holds.
#pragma once

#include <functional>
#include <memory>

#include "berth/store.h"

namespace berth {

class DistantStore final : public Store {
 public:
  // `committed_or_not` is told every answer to a commit as it is given, before it travels.
  DistantStore(Store& store, Executor& executor,
               std::function<void(const CommitReply&)> committed_or_not)
      : store_(store), executor_(executor), committed_or_not_(std::move(committed_or_not)) {}

  // Nothing may be on its way.
  void SetDistance(Duration one_way) { one_way_ = one_way; }

  // All answers come through the executor given at construction, which the callers must be using.
  void Commit(ChangeSet change, Executor& reply_on, CommitDone done) override;
  void Read(Executor& reply_on, SnapshotDone done) override;
  std::unique_ptr<Watch> WatchFrom(Revision from, Executor& reply_on, OnEvent on_event) override;
  void ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) override;

 private:
  void Travel(Executor::Task arrive);

  Store& store_;
  Executor& executor_;
  const std::function<void(const CommitReply&)> committed_or_not_;
  Duration one_way_{};
};

}  // namespace berth
