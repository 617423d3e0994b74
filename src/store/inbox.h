// What a durable store was asked, in the order it was asked: filled from any thread, emptied by the
// one committer.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <variant>
#include <vector>

#include "berth/store.h"
#include "store/feed.h"

namespace berth {

struct CommitRequest {
  ChangeSet change;
  Executor* reply_on = nullptr;
  Time now;
  Store::CommitDone done;
};
struct ReadRequest {
  Executor* reply_on = nullptr;
  Store::SnapshotDone done;
};
struct WatchRequest {
  std::shared_ptr<Watching> watching;
  Revision from{};
};
struct DecisionRequest {
  DecisionId id;
  Executor* reply_on = nullptr;
  Store::DecisionDone done;
};
// An executor has taken the old revisions that it was sent.
struct TakenNotice {
  Executor* executor = nullptr;
};
// Something came for the committer by another way.
struct WakeNotice {};
using StoreRequest = std::variant<CommitRequest, ReadRequest, WatchRequest, DecisionRequest,
                                  TakenNotice, WakeNotice>;

class Inbox {
 public:
  struct Limits {
    std::size_t waiting_max;  // Commits that may wait; more are turned away.
    std::size_t batch_max;    // Commits handed out at once.
  };
  explicit Inbox(Limits limits) : limits_(limits) {}

  // Turns the request away, untouched, when too many wait already.
  bool TryPush(CommitRequest& request);
  void Push(StoreRequest request);
  // Waits until there is something. Empty: closed, and all was handed out.
  std::vector<StoreRequest> Take();
  // What is there now, without waiting; perhaps nothing.
  std::vector<StoreRequest> TakeWaiting();
  void Close();

 private:
  void AwaitCompany(std::unique_lock<std::mutex>& lock);
  std::vector<StoreRequest> HandOut();

  const Limits limits_;
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<StoreRequest> requests_;
  std::size_t commits_ = 0;     // Of them.
  std::size_t last_batch_ = 0;  // Commits handed out the last time there were any.
  bool closed_ = false;
};

}  // namespace berth
