// A store over a simulated disk, as the durable store is over a real one: it judges all commits
// that wait, writes them with one sync that takes its time, then tells watchers and callers. After
// a failed sync it takes no more commits. Its end is a crash; the next one reads the disk.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "sim/faults/disk.h"
#include "sim/faults/world.h"
#include "store/feed.h"
#include "store/inbox.h"
#include "store/sequencer.h"

namespace berth::faults {

// So few revisions of the log are kept for watches that some come too late.
inline constexpr std::uint64_t kLogKept = 32;

// What shall go wrong, whichever life of the store it meets.
struct SyncFaults {
  bool fail_next = false;
  Executor::Task during_next;    // Happens in the middle of the next sync.
  Executor::Task after_failure;  // Happens whenever a sync failed.
};

class LoggedStore final : public Store {
 public:
  struct Counts {
    std::uint64_t commits = 0;
    std::uint64_t conflicts = 0;
    std::uint64_t merged = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t syncs = 0;

    Counts& operator+=(const Counts& other);
  };

  // What outlives it. The counts are of all its lives so far.
  struct Surroundings {
    World& world;
    Disk& disk;
    Executor& clock;
    SyncFaults& faults;
    Counts& counts;
    const std::function<void(const Inventory&)>& read;  // Told every snapshot that is handed out.
  };
  // Takes over the state that the disk's log leads to.
  LoggedStore(const Surroundings& around, Rng rng);
  ~LoggedStore() override { *alive_ = false; }
  LoggedStore(const LoggedStore&) = delete;
  LoggedStore& operator=(const LoggedStore&) = delete;

  void Commit(ChangeSet change, Executor& reply_on, CommitDone done) override;
  void Read(Executor& reply_on, SnapshotDone done) override;
  std::unique_ptr<Watch> WatchFrom(Revision from, Executor& reply_on, OnEvent on_event) override;
  void ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) override;

  bool read_only() const { return read_only_; }
  // The oldest revision that a watch can have.
  Revision log_start() const;

 private:
  void Push(StoreRequest request);
  void Work();
  // Judges every commit among the requests; whether any of them changed anything.
  bool JudgeAll();
  Sequencer::Step Take(ChangeSet change, Time now);
  Sequencer::Step MergeStale(const ChangeSet& change, Time now, Sequencer::Step conflict);
  void BeginSync(std::function<void(bool synced)> ended);
  // After a failed sync: takes back what was judged, and fails all of it.
  void TakeBack();
  void AnswerAll();
  void Answer(StoreRequest& request);
  void AnswerCommit(CommitRequest& request, Sequencer::Step step);
  Result<Disk::Entry> ReadLog(Revision revision) const;
  Result<Decision> FindDecision(const DecisionId& id) const;

  World& world_;
  Disk& disk_;
  Executor& clock_;
  SyncFaults& faults_;
  Counts& counts_;
  const std::function<void(const Inventory&)>& read_;
  Rng rng_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  Sequencer sequencer_;
  Feed feed_;
  std::deque<StoreRequest> inbox_;
  bool working_ = false;
  bool read_only_ = false;
  std::vector<StoreRequest> requests_;  // That are being worked on,
  std::vector<Sequencer::Step> steps_;  // and what came of the commits among them.
};

}  // namespace berth::faults
