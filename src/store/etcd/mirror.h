// The zone as this process knows it: the state, where etcd's head stood then, the log, and those
// who follow it. Others' commits come in from the watch, or are asked for when the watch is late.
//
// The head is known exactly: whoever writes compares it, so a transaction of a mirror that is
// behind is not done, and its answer brings what the mirror lacks.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "berth/store.h"
#include "store/etcd/arrivals.h"
#include "store/etcd/layout.h"
#include "store/etcd/log_reader.h"
#include "store/etcd/zone.h"
#include "store/feed.h"
#include "store/sequencer.h"

namespace etcdserverpb {
class RequestOp;
class TxnRequest;
class TxnResponse;
}  // namespace etcdserverpb

namespace berth {

class EtcdClient;

class Mirror {
 public:
  Mirror(EtcdClient& client, const EtcdKeys& keys, std::int64_t range_keys_max, StoredZone zone,
         Feed::Taken taken);

  Sequencer& sequencer() { return sequencer_; }
  const Inventory& inventory() const { return sequencer_.inventory(); }
  Feed& feed() { return feed_; }
  EtcdLogReader& log() { return log_; }
  const EtcdHead& head() const { return head_; }
  const std::deque<PendingTouch>& pending() const { return pending_; }
  // Of the log keys, when the state was last read whole.
  Revision oldest_log() const { return oldest_log_; }

  // Learns what the watch brought.
  void Take(const Arrivals::Taken& arrivals);
  // Learns all that was committed before it was called.
  Status CatchUp();
  // After a transaction whose outcome is not known: nothing that it would do may be done any more
  // once this succeeds, and if it was done, that was learned.
  Status Settle();
  // `may_come`: it had no answer, so it may still be done.
  void Doubt(bool may_come) { doubted_ = {.head_at = head_at_, .may_come = may_come}; }

  // For a transaction on the state as it was here at `base`: it compares the head, and its other
  // branch asks what the others did since.
  void Compare(etcdserverpb::TxnRequest& request, Revision base) const;
  // Learns that other branch's answer, here at `base` again.
  Status Learn(const etcdserverpb::TxnResponse& response);
  // By the same answer: the etcd revision at which a transaction of this origin was done after all.
  std::optional<std::int64_t> DoneAt(const Origin& origin,
                                     const etcdserverpb::TxnResponse& response) const;
  // How often the state was read anew because the log did not reach back. From any thread.
  std::uint64_t reloads() const { return reloads_.load(); }
  // Of the newest commit that is known. From any thread.
  Revision revision() const { return Revision{known_.load()}; }

  struct Own {
    std::vector<std::shared_ptr<const Committed>> commits;  // Already in the sequencer.
    EtcdHead head;
    std::int64_t at = 0;              // etcd's revision.
    std::size_t touches_written = 0;  // Of the pending ones, the oldest.
    std::vector<MachineId> touched;
  };
  // A transaction of this process was done.
  void Done(const Own& own);

 private:
  void AskNews(etcdserverpb::RequestOp& head, etcdserverpb::RequestOp& log, Revision since) const;
  Status LearnEntry(const LogEntry& entry);
  void LearnHead(const EtcdHead& head, std::int64_t at);
  Status Reload();

  EtcdClient& client_;
  const EtcdKeys& keys_;
  const std::int64_t range_keys_max_;
  Sequencer sequencer_;
  EtcdLogReader log_;
  Feed feed_;
  EtcdHead head_;
  std::int64_t head_at_;
  std::deque<PendingTouch> pending_;
  Revision oldest_log_;
  struct Doubted {
    std::int64_t head_at = 0;  // Of the head that the transaction compared.
    bool may_come = false;
  };
  std::optional<Doubted> doubted_;
  std::atomic<std::uint64_t> reloads_{0};
  std::atomic<std::uint64_t> known_;
};

}  // namespace berth
