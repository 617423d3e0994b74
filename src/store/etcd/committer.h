// The one thread of an etcd store that has the state: it judges what waits on the mirror, sends all
// of it as one transaction, and answers when etcd has. If another process was first, it learns what
// that one did, takes its own steps back and judges the same changes again.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "store/etcd/arrivals.h"
#include "store/etcd/client.h"
#include "store/etcd/etcd_store.h"
#include "store/etcd/log_tail.h"
#include "store/etcd/mirror.h"
#include "store/etcd/staging.h"
#include "store/inbox.h"

namespace berth {

class EtcdCommitter {
 public:
  struct Parts {
    std::unique_ptr<EtcdClient> client;
    StoredZone zone;
    std::uint64_t writer = 0;  // A number that no other opening of the zone has.
    std::shared_ptr<Inbox> inbox;
    std::shared_ptr<Arrivals> arrivals;
  };
  EtcdCommitter(const EtcdOptions& options, Parts parts);

  // Until the inbox is closed and empty.
  void Run();
  EtcdStore::Counts counts() const;
  const EtcdKeys& keys() const { return keys_; }
  const EtcdClient& client() const { return *client_; }

 private:
  struct Waiting {
    StoreRequest request;
    std::optional<Violation> unfit;  // The server said that it is too large.
  };
  struct Batch {
    Staging staging;
    std::vector<Sequencer::Step> steps;  // Of the first ones that wait, all of them commits.
    Revision base{};                     // The state that they were judged on, and its journal.
    std::uint64_t journal_position = 0;
  };
  enum class Outcome : std::uint8_t { kDone, kAgain, kGaveUp };

  void TakeRequests(std::vector<StoreRequest> requests);
  void CommitFront();
  Batch JudgeFront();
  Outcome Send(Batch& batch);
  // Stages what goes with the commits besides their records; the answer is what the mirror is told.
  Mirror::Own Complete(Batch& batch, etcdserverpb::TxnRequest& request, const Origin& origin);
  Outcome NotDone(Batch& batch, const EtcdClient::Sent& sent);
  Outcome LearnWhoWon(const Batch& batch, const EtcdClient::Sent& sent,
                      const etcdserverpb::TxnResponse& response);
  void TooLarge(const Batch& batch, EtcdClient::TooLarge by);
  void AnswerBatch(Batch& batch);
  // `in_doubt` of the first ones may have been done, or may not.
  void FailWaiting(const Status& status, std::size_t in_doubt);

  void AnswerFront();
  void AnswerRead(ReadRequest& request);
  void AnswerDecision(DecisionRequest& request);
  Result<Decision> FindDecision(const DecisionId& id);

  const EtcdOptions options_;
  const EtcdKeys keys_;
  const std::unique_ptr<EtcdClient> client_;
  const std::uint64_t writer_;
  const std::shared_ptr<Inbox> inbox_;
  const std::shared_ptr<Arrivals> arrivals_;
  Mirror mirror_;
  std::optional<LogTail> tail_;
  std::uint64_t tail_of_ = 0;  // The reload that it belongs to.
  EtcdBatchLimits limits_;     // Smaller than asked for when the server's are.
  std::deque<Waiting> waiting_;
  std::uint64_t transactions_ = 0;
  std::weak_ptr<const Inventory> snapshot_;  // The last one read, while anyone has it.
  std::atomic<std::uint64_t> commits_{0};
  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::uint64_t> operations_{0};
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<std::uint64_t> lost_{0};
  std::atomic<Duration::rep> sending_{0};
};

}  // namespace berth
