// A store over a slow way, so that agents meet each other.
#pragma once

#include <memory>
#include <utility>

#include "base/virtual_executor.h"
#include "berth/rng.h"
#include "berth/store.h"

namespace berth::testing {

// Commits arrive late and out of order, as over a network, so that agents meet each other.
class LateStore final : public Store {
 public:
  LateStore(Store& store, VirtualExecutor& executor, Rng rng)
      : store_(store), executor_(executor), rng_(rng) {}

  void Commit(ChangeSet change, Executor& reply_on, CommitDone done) override {
    const Duration late(static_cast<std::int64_t>(rng_.Below(5)) * 100);
    auto held = std::make_shared<ChangeSet>(std::move(change));
    executor_.PostAt(executor_.now() + late, [this, held, &reply_on, done = std::move(done)] {
      store_.Commit(std::move(*held), reply_on, done);
    });
  }
  void Read(Executor& reply_on, SnapshotDone done) override {
    store_.Read(reply_on, std::move(done));
  }
  std::unique_ptr<Watch> WatchFrom(Revision from, Executor& reply_on, OnEvent on_event) override {
    return store_.WatchFrom(from, reply_on, std::move(on_event));
  }
  void ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) override {
    store_.ReadDecision(id, reply_on, std::move(done));
  }

 private:
  Store& store_;
  VirtualExecutor& executor_;
  Rng rng_;
};

}  // namespace berth::testing
