#include "store/etcd/etcd_store.h"

#include <fmt/format.h>

#include <utility>

#include "store/etcd/arrivals.h"
#include "store/etcd/committer.h"
#include "store/etcd/follower.h"
#include "store/inbox.h"

namespace berth {
namespace {

// Commits handed to the committer at once: more than fit one transaction, few enough that those who
// wait are still counted.
constexpr std::size_t kTakenAtOnce = 1024;
constexpr std::size_t kArrivedBytesMax = std::size_t{64} << 20;

}  // namespace

Result<std::unique_ptr<EtcdStore>> EtcdStore::Open(const EtcdOptions& options) {
  auto client = std::make_unique<EtcdClient>(options);
  const EtcdKeys keys(options.address.prefix);
  BERTH_TRY(const std::uint64_t writer, OpenZone(*client, keys, options.must_exist));
  BERTH_TRY(StoredZone zone, LoadZone(*client, keys, options.range_keys_max));
  const std::int64_t read_at = zone.read_at;

  std::unique_ptr<EtcdStore> store(new EtcdStore(options, writer));
  store->committer_ =
      std::make_unique<EtcdCommitter>(options, EtcdCommitter::Parts{.client = std::move(client),
                                                                    .zone = std::move(zone),
                                                                    .writer = writer,
                                                                    .inbox = store->inbox_,
                                                                    .arrivals = store->arrivals_});
  store->follower_ = std::make_unique<Follower>(
      Follower::Options{.channels = store->committer_->client().channels(),
                        .session = store->committer_->client().session(),
                        .from_key = keys.Head(),
                        .to_key = keys.PastLog(),
                        .after = read_at,
                        .arrivals = store->arrivals_.get(),
                        .wake = [inbox = store->inbox_] { inbox->Push(WakeNotice{}); }});
  store->thread_ = std::thread([committer = store->committer_.get()] { committer->Run(); });
  return store;
}

EtcdStore::EtcdStore(const EtcdOptions& options, std::uint64_t writer)
    : writer_(writer),
      endpoints_(ToString(options.address)),
      waiting_max_(options.waiting_max),
      inbox_(std::make_shared<Inbox>(
          Inbox::Limits{.waiting_max = options.waiting_max, .batch_max = kTakenAtOnce})),
      arrivals_(std::make_shared<Arrivals>(kArrivedBytesMax)) {}

EtcdStore::~EtcdStore() {
  follower_.reset();
  inbox_->Close();
  if (thread_.joinable()) thread_.join();
}

void EtcdStore::Commit(ChangeSet change, Executor& reply_on, CommitDone done) {
  CommitRequest request = {.change = std::move(change),
                           .reply_on = &reply_on,
                           .now = reply_on.now(),
                           .done = std::move(done)};
  if (inbox_->TryPush(request)) return;
  CommitReply reply;
  reply.outcome = CommitReply::Outcome::kFailed;
  reply.status = Status(Code::kResourceExhausted,
                        fmt::format("{} commits wait for etcd at {} already; try again later",
                                    waiting_max_, endpoints_));
  reply_on.Post([done = std::move(request.done), reply = std::move(reply)]() mutable {
    done(std::move(reply));
  });
}

void EtcdStore::Read(Executor& reply_on, SnapshotDone done) {
  inbox_->Push(ReadRequest{.reply_on = &reply_on, .done = std::move(done)});
}

std::unique_ptr<Watch> EtcdStore::WatchFrom(Revision from, Executor& reply_on, OnEvent on_event) {
  auto watching = std::make_shared<Watching>(reply_on, std::move(on_event));
  inbox_->Push(WatchRequest{.watching = watching, .from = from});
  return EndsWhenDestroyed(std::move(watching));
}

void EtcdStore::ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) {
  inbox_->Push(DecisionRequest{.id = id, .reply_on = &reply_on, .done = std::move(done)});
}

EtcdStore::Counts EtcdStore::counts() const { return committer_->counts(); }

StoreStats EtcdStore::stats() const {
  const Counts counts = committer_->counts();
  return {.revision = counts.revision,
          .commits = counts.commits,
          .syncs = counts.transactions,
          .syncing = counts.sending};
}

}  // namespace berth
