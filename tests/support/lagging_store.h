// A store at the far end of an agent's own line.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "base/virtual_executor.h"
#include "berth/rng.h"
#include "berth/store.h"

namespace berth::testing {

// Commits arrive late, in their order or overtaking each other. Answers and events come back late
// and in the order in which the store sent them, as it promises. So views lag behind the store,
// each by another way.
class LaggingStore final : public Store {
 public:
  struct Line {
    Rng rng;
    bool overtaking = false;
  };
  LaggingStore(Store& store, VirtualExecutor& executor, const Line& line)
      : store_(store),
        there_(executor, line.rng.Fork("there"), line.overtaking),
        back_(executor, line.rng.Fork("back"), false) {}

  void Commit(ChangeSet change, Executor& /*reply_on*/, CommitDone done) override {
    auto held = std::make_shared<ChangeSet>(std::move(change));
    there_.Post(
        [this, held, done = std::move(done)] { store_.Commit(std::move(*held), back_, done); });
  }
  void Read(Executor& /*reply_on*/, SnapshotDone done) override {
    store_.Read(back_, std::move(done));
  }
  std::unique_ptr<Watch> WatchFrom(Revision from, Executor& /*reply_on*/,
                                   OnEvent on_event) override {
    return store_.WatchFrom(from, back_, std::move(on_event));
  }
  void ReadDecision(const DecisionId& id, Executor& /*reply_on*/, DecisionDone done) override {
    store_.ReadDecision(id, back_, std::move(done));
  }

 private:
  class Way final : public Executor {
   public:
    Way(VirtualExecutor& executor, Rng rng, bool overtaking)
        : executor_(executor), rng_(rng), overtaking_(overtaking) {}
    Time now() const override { return executor_.now(); }
    void Post(Task task) override { PostAt(now(), std::move(task)); }
    void PostAt(Time at, Task task) override {
      const Time arrives = at + std::chrono::microseconds(rng_.Below(500));
      last_ = overtaking_ ? arrives : std::max(last_, arrives);
      executor_.PostAt(last_, std::move(task));
    }

   private:
    VirtualExecutor& executor_;
    Rng rng_;
    bool overtaking_;
    Time last_;  // When the last that was sent arrives.
  };

  Store& store_;
  Way there_;
  Way back_;
};

}  // namespace berth::testing
