#include "store/rocksdb_store.h"

#include <fmt/format.h>

#include <span>
#include <utility>
#include <vector>

#include "base/stopwatch.h"
#include "store/database.h"
#include "store/feed.h"
#include "store/inbox.h"
#include "store/sequencer.h"

namespace berth {
namespace {

CommitReply FailedWith(Status status) {
  CommitReply reply;
  reply.outcome = CommitReply::Outcome::kFailed;
  reply.status = std::move(status);
  return reply;
}

// What stays true until the store is opened anew.
Status ReadOnly(const std::string& directory, const Status& cause) {
  const bool full = cause.code() == Code::kResourceExhausted;
  return {Code::kUnavailable,
          fmt::format("the store in {} is read-only since a write failed ({}); {} and restart",
                      directory, cause.message(), full ? "free space" : "check the disk")};
}

}  // namespace

// Runs on the store's own thread; nothing else touches the state.
class Committer {
 public:
  Committer(std::string directory, std::unique_ptr<Database> database, Inventory inventory,
            std::shared_ptr<Inbox> inbox)
      : directory_(std::move(directory)),
        database_(std::move(database)),
        inbox_(std::move(inbox)),
        sequencer_(std::move(inventory), /*undoable=*/true, database_->head().at),
        feed_(
            database_->head().revision,
            [this](Revision revision) { return database_->ReadLog(revision); },
            [to = inbox_](Executor& executor) { to->Push(TakenNotice{&executor}); }),
        revision_(ToNumber(database_->head().revision)) {}

  void Run() {
    for (auto taken = inbox_->Take(); !taken.empty(); taken = inbox_->Take()) Handle(taken);
    feed_.Finish();
  }

  StoreStats stats() const {
    return {.revision = Revision{revision_.load()},
            .commits = commits_.load(),
            .syncs = syncs_.load(),
            .syncing = Duration(syncing_.load())};
  }

 private:
  using Steps = std::vector<Sequencer::Step>;

  void Handle(std::span<StoreRequest> requests);
  // Judges every commit among the requests and makes what they changed durable; or takes all of it
  // back, and the store is read-only.
  Steps CommitAll(std::span<StoreRequest> requests);
  void Answer(StoreRequest& request);
  void AnswerCommit(CommitRequest& request, Sequencer::Step step);
  void AnswerRead(ReadRequest& request);
  void AnswerDecision(DecisionRequest& request);

  const std::string directory_;
  const std::unique_ptr<Database> database_;
  const std::shared_ptr<Inbox> inbox_;
  Sequencer sequencer_;
  Feed feed_;
  Status read_only_;                         // Not ok: nothing is written any more, and why.
  std::weak_ptr<const Inventory> snapshot_;  // The last one read, while anyone has it.
  std::atomic<std::uint64_t> revision_;
  std::atomic<std::uint64_t> commits_{0};
  std::atomic<std::uint64_t> syncs_{0};
  std::atomic<Duration::rep> syncing_{0};
};

void Committer::Handle(std::span<StoreRequest> requests) {
  // What was asked before the first commit is answered from the state before it.
  while (!requests.empty() && !std::holds_alternative<CommitRequest>(requests.front())) {
    Answer(requests.front());
    requests = requests.subspan(1);
  }
  Steps steps = CommitAll(requests);
  auto step = steps.begin();
  // In the order of asking: a watch asked for before a commit has its events before the reply.
  for (StoreRequest& request : requests) {
    if (auto* commit = std::get_if<CommitRequest>(&request)) {
      AnswerCommit(*commit, std::move(*step++));
    } else if (!std::holds_alternative<ReadRequest>(request)) {
      Answer(request);
    }
  }
  // Snapshots last: they hold what all of these committed.
  for (StoreRequest& request : requests) {
    if (std::holds_alternative<ReadRequest>(request)) Answer(request);
  }
}

void Committer::Answer(StoreRequest& request) {
  if (auto* read = std::get_if<ReadRequest>(&request)) {
    AnswerRead(*read);
  } else if (auto* watch = std::get_if<WatchRequest>(&request)) {
    feed_.Add(watch->watching, watch->from, database_->head().log_start);
  } else if (auto* decision = std::get_if<DecisionRequest>(&request)) {
    AnswerDecision(*decision);
  } else if (auto* taken = std::get_if<TakenNotice>(&request)) {
    feed_.Advance(*taken->executor);
  }
}

Committer::Steps Committer::CommitAll(std::span<StoreRequest> requests) {
  Steps steps;
  std::vector<std::shared_ptr<const Committed>> committed;
  const std::uint64_t journal_position = sequencer_.inventory().journal().position();
  for (StoreRequest& request : requests) {
    auto* commit = std::get_if<CommitRequest>(&request);
    if (commit == nullptr) continue;
    if (!read_only_.ok()) {
      steps.push_back(
          {.reply = FailedWith(read_only_), .committed = nullptr, .before = {}, .marks = {}});
      continue;
    }
    steps.push_back(sequencer_.Take(std::move(commit->change), commit->now));
    if (steps.back().committed != nullptr) committed.push_back(steps.back().committed);
  }
  if (committed.empty()) return steps;

  const Stopwatch stopwatch;
  const Status written = database_->Write(committed, sequencer_.inventory(), journal_position);
  syncing_.fetch_add(stopwatch.elapsed().count());
  syncs_.fetch_add(1);
  if (written.ok()) {
    commits_.fetch_add(committed.size());
    revision_.store(ToNumber(sequencer_.inventory().revision()));
    return steps;
  }
  read_only_ = ReadOnly(directory_, written);
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (step->committed != nullptr) sequencer_.Undo(*step);
    // Refusals too: they may rest on what was just taken back.
    *step = {.reply = FailedWith(read_only_), .committed = nullptr, .before = {}, .marks = {}};
  }
  return steps;
}

void Committer::AnswerCommit(CommitRequest& request, Sequencer::Step step) {
  if (step.committed != nullptr) feed_.Publish(step.committed);
  feed_.Send(*request.reply_on,
             [done = std::move(request.done), reply = std::move(step.reply)]() mutable {
               done(std::move(reply));
             });
}

void Committer::AnswerRead(ReadRequest& request) {
  std::shared_ptr<const Inventory> snapshot = snapshot_.lock();
  if (snapshot == nullptr || snapshot->revision() != sequencer_.inventory().revision()) {
    snapshot = std::make_shared<const Inventory>(sequencer_.inventory());
    snapshot_ = snapshot;
  }
  feed_.Send(*request.reply_on, [done = std::move(request.done), snapshot] { done(snapshot); });
}

void Committer::AnswerDecision(DecisionRequest& request) {
  feed_.Send(*request.reply_on, [done = std::move(request.done),
                                 found = database_->ReadDecision(request.id)] { done(found); });
}

Result<std::unique_ptr<RocksDbStore>> RocksDbStore::Open(const RocksDbOptions& options) {
  if (options.directory.empty()) {
    return Status(Code::kInvalidArgument, "the rocksdb store needs a directory: rocksdb:DIR");
  }
  BERTH_TRY(std::unique_ptr<Database> database, Database::Open(options));
  BERTH_TRY(Inventory inventory, database->Load());
  std::unique_ptr<RocksDbStore> store(new RocksDbStore(options));
  store->committer_ = std::make_unique<Committer>(options.directory, std::move(database),
                                                  std::move(inventory), store->inbox_);
  store->thread_ = std::thread([committer = store->committer_.get()] { committer->Run(); });
  return store;
}

RocksDbStore::RocksDbStore(const RocksDbOptions& options)
    : directory_(options.directory),
      waiting_max_(options.waiting_max),
      inbox_(std::make_shared<Inbox>(
          Inbox::Limits{.waiting_max = options.waiting_max, .batch_max = options.batch_max})) {}

RocksDbStore::~RocksDbStore() {
  inbox_->Close();
  if (thread_.joinable()) thread_.join();
}

void RocksDbStore::Commit(ChangeSet change, Executor& reply_on, CommitDone done) {
  CommitRequest request = {.change = std::move(change),
                           .reply_on = &reply_on,
                           .now = reply_on.now(),
                           .done = std::move(done)};
  if (inbox_->TryPush(request)) return;
  Status full(Code::kResourceExhausted,
              fmt::format("{} commits wait for the store in {} already; try again later",
                          waiting_max_, directory_));
  reply_on.Post([done = std::move(request.done), reply = FailedWith(std::move(full))]() mutable {
    done(std::move(reply));
  });
}

void RocksDbStore::Read(Executor& reply_on, SnapshotDone done) {
  inbox_->Push(ReadRequest{.reply_on = &reply_on, .done = std::move(done)});
}

std::unique_ptr<Watch> RocksDbStore::WatchFrom(Revision from, Executor& reply_on,
                                               OnEvent on_event) {
  auto watching = std::make_shared<Watching>(reply_on, std::move(on_event));
  inbox_->Push(WatchRequest{.watching = watching, .from = from});
  return EndsWhenDestroyed(std::move(watching));
}

void RocksDbStore::ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) {
  inbox_->Push(DecisionRequest{.id = id, .reply_on = &reply_on, .done = std::move(done)});
}

StoreStats RocksDbStore::stats() const { return committer_->stats(); }

}  // namespace berth
