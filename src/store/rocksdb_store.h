// The embedded durable store: the fleet in memory, every commit in RocksDB before it is answered.
//
// One committer thread does everything: it takes all commits that wait, judges them one after the
// other, writes them as one batch with one sync, then tells watchers and callers in revision order.
// Nothing is seen before it is durable. After a failed write the tail of the log is unknown, so the
// store turns read-only until it is opened anew. The stored format is in docs/store.md.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "berth/store.h"

namespace rocksdb {
class FileSystem;
}

namespace berth {

class Database;
class Committer;
class Inbox;

struct RocksDbOptions {
  std::string directory;
  LogRetention retention;
  std::size_t batch_max = 1024;      // Commits in one write.
  std::size_t waiting_max = 16'384;  // Commits that may wait; more are answered kResourceExhausted.
  std::size_t write_buffer_bytes = std::size_t{64}
                                   << 20;  // Kept in memory before a table is written.
  // For tests: what stands in for the operating system's files (null: the files themselves), and
  // whether commits are synced at all. Without it an answered commit may be lost.
  std::shared_ptr<rocksdb::FileSystem> files;
  bool sync = true;
};

class RocksDbStore final : public Store {
 public:
  // One process may have a directory open at a time.
  static Result<std::unique_ptr<RocksDbStore>> Open(const RocksDbOptions& options);
  // Answers what waits, then closes.
  ~RocksDbStore() override;
  RocksDbStore(const RocksDbStore&) = delete;
  RocksDbStore& operator=(const RocksDbStore&) = delete;

  void Commit(ChangeSet change, Executor& reply_on, CommitDone done) override;
  void Read(Executor& reply_on, SnapshotDone done) override;
  std::unique_ptr<Watch> WatchFrom(Revision from, Executor& reply_on, OnEvent on_event) override;
  void ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) override;

  StoreStats stats() const override;

 private:
  explicit RocksDbStore(const RocksDbOptions& options);

  const std::string directory_;
  const std::size_t waiting_max_;
  std::shared_ptr<Inbox> inbox_;  // Shared with what is posted to executors, which may outlive us.
  std::unique_ptr<Committer> committer_;
  std::thread thread_;
};

}  // namespace berth
