// Lets a store that has threads of its own serve a virtual executor.
//
// A virtual executor belongs to one thread. The bridge takes what the store's threads post and runs
// it on the driving thread. It knows which calls are still to be answered, so that virtual time
// stands still while the disk is busy, and settling means the same for every store. And while it
// waits for answers it runs nothing else, so that what happens does not depend on how fast the
// store is.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/virtual_executor.h"
#include "berth/store.h"

namespace berth {

class StoreBridge final : public Store {
 public:
  // Both must outlive it, and so must it the calls that it has not answered: Settle before the end.
  StoreBridge(Store& store, VirtualExecutor& executor);

  // All answers come through the executor given at construction, which the callers must be using.
  void Commit(ChangeSet change, Executor& reply_on, CommitDone done) override;
  void Read(Executor& reply_on, SnapshotDone done) override;
  std::unique_ptr<Watch> WatchFrom(Revision from, Executor& reply_on, OnEvent on_event) override;
  void ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) override;

  // Runs what is due now until nothing is and the store owes no answer, waiting for it if need be.
  void Settle();
  // The same at every moment up to `until`, at which the clock then stands.
  void SettleUntil(Time until);

 private:
  // What the store posts to, from any thread.
  class Inbox final : public Executor {
   public:
    Time now() const override { return TimeFromMicros(now_us.load()); }
    void Post(Task task) override;
    void PostAt(Time at, Task task) override;
    // Everything that arrived; waits for something if told to.
    std::vector<Task> TakeAll(bool wait);

    std::atomic<std::int64_t> now_us = 0;

   private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<Task> tasks_;
  };

  // Wraps an answer's callback so that it is counted.
  template <typename Answer>
  std::function<void(Answer)> Counted(std::function<void(Answer)> done) {
    ++in_flight_;
    inbox_.now_us = ToMicros(executor_.now());
    return [this, done = std::move(done)](Answer answer) {
      --in_flight_;
      done(std::move(answer));
    };
  }
  // Runs what the store posted until it owes no answer; whether there was anything.
  bool TakeAnswers();

  Store& store_;
  VirtualExecutor& executor_;
  Inbox inbox_;
  std::uint64_t in_flight_ = 0;
};

}  // namespace berth
