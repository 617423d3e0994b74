// The stored format over RocksDB: keys and values in, keys and values out. No threads, no waiting
// commits; docs/store.md describes what it writes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "berth/store.h"
#include "fleet/inventory.h"
#include "store/codec.h"
#include "store/contents.h"
#include "store/rocksdb_store.h"

namespace rocksdb {
class DB;
class Slice;
class WriteBatch;
}  // namespace rocksdb

namespace berth {

// The version that this program writes. A newer one is refused; an older one would be converted.
inline constexpr std::uint64_t kFormatVersion = 1;

// Kinds of records, each after those that it refers to.
inline constexpr std::array kInstallOrder = {
    RecordKind::kPolicy,  RecordKind::kType,     RecordKind::kTenant, RecordKind::kMachine,
    RecordKind::kService, RecordKind::kInstance, RecordKind::kLease,  RecordKind::kIdempotency};

class Database {
 public:
  static Result<std::unique_ptr<Database>> Open(const RocksDbOptions& options);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const StoredHead& head() const { return head_; }

  // Every stored record, checked while reading.
  Result<Inventory> Load() const;

  using Commits = std::span<const std::shared_ptr<const Committed>>;
  // Writes all of it or nothing, and syncs. `after` is the state with the commits applied; machines
  // that its journal touched after `journal_position` get a new revision.
  Status Write(Commits commits, const Inventory& after, std::uint64_t journal_position);

  // A revision that the log still holds.
  Result<std::shared_ptr<const Committed>> ReadLog(Revision revision) const;
  Result<Decision> ReadDecision(const DecisionId& id) const;

  // As StoreContents does.
  Status ReadContents(const StoreContents::Take& take) const;
  // Of a database just made; all of it is durable when this answers ok.
  Status Fill(const StoreContents::Next& next);

 private:
  explicit Database(const RocksDbOptions& options);

  Status ReadOrWriteHead();
  Status Damaged(std::string_view key, std::string_view what) const;
  Result<std::string> Get(std::string_view key) const;  // kNotFound when there is none.
  // visit(rest of the key, value) for every key with the prefix, in key order.
  using Visit = std::function<Status(std::string_view rest, std::string_view value)>;
  Status Scan(std::string_view prefix, const Visit& visit) const;
  Status ReadRecords(const StoreContents::Take& take) const;
  Status ReadNumbers(const StoreContents::Take& take) const;
  Status ReadLogEntries(const StoreContents::Take& take) const;
  Status CheckDecisionIndex(const Committed& committed, const StoreContents::Take& take) const;

  Status WriteAll(rocksdb::WriteBatch& batch, bool sync);
  static void Stage(rocksdb::WriteBatch& batch, const Committed& committed);
  static void StageTouched(rocksdb::WriteBatch& batch, const Inventory& after, Revision first,
                           std::uint64_t journal_position);
  // Takes what exceeds the retention off the log's start, a bounded number of revisions a time.
  Status StageTrim(rocksdb::WriteBatch& batch, StoredHead& head, Commits commits);

  const std::string directory_;
  const LogRetention retention_;
  const bool sync_;
  std::shared_ptr<void> env_;  // Outlives the database that uses it.
  std::unique_ptr<rocksdb::DB> db_;
  StoredHead head_;
  std::shared_ptr<const Committed> oldest_;  // The log's first entry, once it was needed.
  Revision erased_{};                        // Log entries before this one are deleted for certain.
};

}  // namespace berth
