// The replicated store: an etcd cluster is the truth and the way by which the processes of one zone
// learn of each other's commits. Any of them can die; the others go on.
//
// Every process holds the whole zone in memory and follows etcd's log of it. A commit is judged on
// that state and written by one transaction which is done only if nobody else committed meanwhile;
// otherwise it is judged again on what they left. docs/store.md has the keys and what happens when
// something fails.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "berth/store.h"
#include "store/etcd/options.h"
#include "store/shared_store.h"

namespace berth {

class Arrivals;
class EtcdCommitter;
class Follower;
class Inbox;

class EtcdStore final : public SharedStore {
 public:
  static Result<std::unique_ptr<EtcdStore>> Open(const EtcdOptions& options);
  // Answers what waits, then closes.
  ~EtcdStore() override;
  EtcdStore(const EtcdStore&) = delete;
  EtcdStore& operator=(const EtcdStore&) = delete;

  void Commit(ChangeSet change, Executor& reply_on, CommitDone done) override;
  void Read(Executor& reply_on, SnapshotDone done) override;
  std::unique_ptr<Watch> WatchFrom(Revision from, Executor& reply_on, OnEvent on_event) override;
  void ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) override;
  std::uint64_t opening() const override { return writer_; }

  StoreStats stats() const override;

  struct Counts {
    std::uint64_t commits = 0;       // Committed by this process,
    std::uint64_t transactions = 0;  // in so many transactions
    std::uint64_t operations = 0;    // with so many puts and deletions
    std::uint64_t bytes = 0;         // and so many bytes;
    std::uint64_t lost = 0;          // so many more were not done because another was first.
    std::uint64_t reloads = 0;       // How often the state was read anew.
    Revision revision{};             // The newest that it knows.
    Duration sending{};              // How long the transactions took in all.
  };
  Counts counts() const;

 private:
  EtcdStore(const EtcdOptions& options, std::uint64_t writer);

  const std::uint64_t writer_;
  const std::string endpoints_;
  const std::size_t waiting_max_;
  std::shared_ptr<Inbox> inbox_;  // Shared with what is posted to executors, which may outlive us.
  std::shared_ptr<Arrivals> arrivals_;
  std::unique_ptr<EtcdCommitter> committer_;
  std::unique_ptr<Follower> follower_;
  std::thread thread_;
};

}  // namespace berth
