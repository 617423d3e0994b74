#include "store/database.h"

#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <utility>

#include "berth/check.h"
#include "store/keys.h"

namespace berth {
namespace {

// So that retention catching up after a change of settings never makes one write slow.
constexpr std::size_t kTrimmedPerWriteMax = 64;
// Range deletions cost every later read a little, so the entries are erased in steps; until then
// they are merely before the log's start.
constexpr std::uint64_t kErasedAtOnceMax = 1024;

rocksdb::Options DatabaseOptions(const RocksDbOptions& options) {
  rocksdb::Options db;
  db.create_if_missing = true;
  db.write_buffer_size = options.write_buffer_bytes;
  // RocksDB's own diary, not ours: bounded.
  db.keep_log_file_num = 4;
  db.max_log_file_size = std::size_t{4} << 20;
  db.stats_dump_period_sec = 0;
  // A write torn by a power failure is the end of the log: what follows was never acknowledged.
  db.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  // A full disk must not heal behind our back: read-only until opened anew.
  db.max_bgerror_resume_count = 0;
  return db;
}

Status OpenFailed(const std::string& directory, const rocksdb::Status& status) {
  const std::string cause = status.ToString();
  const bool locked =
      status.IsIOError() && (cause.find("While lock file") != std::string::npos ||
                             cause.find("lock hold by current process") != std::string::npos);
  if (locked) {
    return {Code::kFailedPrecondition,
            fmt::format("another berth uses {}; stop it or choose another directory", directory)};
  }
  return {Code::kUnavailable, fmt::format("cannot open the store in {}: {}", directory, cause)};
}

}  // namespace

Database::Database(const RocksDbOptions& options)
    : directory_(options.directory), retention_(options.retention), sync_(options.sync) {}

Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::Open(const RocksDbOptions& options) {
  std::unique_ptr<Database> database(new Database(options));
  rocksdb::Options db_options = DatabaseOptions(options);
  if (options.files != nullptr) {
    std::shared_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(options.files);
    db_options.env = env.get();
    database->env_ = std::move(env);
  }
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened = rocksdb::DB::Open(db_options, options.directory, &db);
  if (!opened.ok()) return OpenFailed(options.directory, opened);
  database->db_.reset(db);
  BERTH_RETURN_IF_ERROR(database->ReadOrWriteHead());
  return database;
}

Status Database::ReadOrWriteHead() {
  const Result<std::string> format = Get(keys::kFormat);
  if (!format.ok() && format.status().code() != Code::kNotFound) return format.status();
  if (!format.ok()) {
    const std::unique_ptr<rocksdb::Iterator> any(db_->NewIterator(rocksdb::ReadOptions()));
    any->SeekToFirst();
    if (any->Valid()) {
      return {
          Code::kFailedPrecondition,
          fmt::format("{} holds a RocksDB database that is not berth's; choose another directory",
                      directory_)};
    }
    rocksdb::WriteBatch batch;
    batch.Put(rocksdb::Slice(keys::kFormat), EncodeFormat(kFormatVersion));
    batch.Put(rocksdb::Slice(keys::kHead), Encode(head_));
    rocksdb::WriteOptions synced;
    synced.sync = true;
    const rocksdb::Status written = db_->Write(synced, &batch);
    if (!written.ok()) return OpenFailed(directory_, written);
    return {};
  }
  const Result<std::uint64_t> version = DecodeFormat(format.value());
  if (!version.ok()) return Damaged(keys::kFormat, version.status().message());
  if (version.value() > kFormatVersion) {
    return {Code::kFailedPrecondition,
            fmt::format("{} was written by a newer berth (format {}, this one reads up to {}); use "
                        "that one",
                        directory_, version.value(), kFormatVersion)};
  }
  BERTH_TRY(const std::string bytes, Get(keys::kHead));
  Result<StoredHead> head = DecodeHead(bytes);
  if (!head.ok()) return Damaged(keys::kHead, head.status().message());
  head_ = head.value();
  // The newest log entry and the head were written together, so one without the other is damage.
  const bool empty = head_.log_start > head_.revision;
  if (!empty && !ReadLog(head_.revision).ok()) {
    return Damaged(keys::kHead, fmt::format("the log lacks revision {}", ToNumber(head_.revision)));
  }
  return {};
}

Status Database::Damaged(std::string_view key, std::string_view what) const {
  constexpr std::string_view kAdvice = "; restore it from a backup";
  return {Code::kInternal,
          fmt::format("the store in {} is damaged at key {}: {}{}", directory_, keys::Readable(key),
                      what, what.ends_with(kAdvice) ? "" : kAdvice)};
}

Result<std::string> Database::Get(std::string_view key) const {
  std::string value;
  const rocksdb::Status got = db_->Get(rocksdb::ReadOptions(), rocksdb::Slice(key), &value);
  if (got.ok()) return value;
  if (got.IsNotFound())
    return Status(Code::kNotFound, fmt::format("{} has no such key", directory_));
  return Status(Code::kUnavailable,
                fmt::format("cannot read from {}: {}", directory_, got.ToString()));
}

Status Database::Write(Commits commits, const Inventory& after, std::uint64_t journal_position) {
  BERTH_CHECK(!commits.empty() && commits.front()->revision == Next(head_.revision));
  BERTH_CHECK(commits.back()->revision == after.revision());
  rocksdb::WriteBatch batch;
  for (const auto& committed : commits) Stage(batch, *committed);
  StageTouched(batch, after, commits.front()->revision, journal_position);
  StoredHead head = {
      .revision = commits.back()->revision, .at = commits.back()->at, .log_start = head_.log_start};
  BERTH_RETURN_IF_ERROR(StageTrim(batch, head, commits));
  batch.Put(rocksdb::Slice(keys::kHead), Encode(head));

  BERTH_RETURN_IF_ERROR(WriteAll(batch, sync_));
  head_ = head;
  return {};
}

Status Database::WriteAll(rocksdb::WriteBatch& batch, bool sync) {
  rocksdb::WriteOptions options;
  options.sync = sync;
  const rocksdb::Status written = db_->Write(options, &batch);
  if (written.ok()) return {};
  return {written.IsNoSpace() ? Code::kResourceExhausted : Code::kUnavailable, written.ToString()};
}

void Database::Stage(rocksdb::WriteBatch& batch, const Committed& committed) {
  for (const Update& update : committed.updates) {
    if (update.key.kind == RecordKind::kDecision) {
      const DecisionId id = {update.key.name, update.key.number};
      batch.Put(keys::OfDecision(id), EncodeNumber(ToNumber(committed.revision)));
      batch.Put(keys::OfAgent(id.agent), EncodeNumber(id.sequence));
    } else if (update.record || update.key.kind == RecordKind::kPolicy) {
      // A removed policy leaves its revision behind: a change made before must still conflict.
      batch.Put(keys::OfRecord(update.key),
                Encode(StoredRecord{.revision = update.revision, .record = update.record}));
    } else {
      batch.Delete(keys::OfRecord(update.key));
      if (update.key.kind == RecordKind::kMachine) {
        batch.Delete(keys::OfTouched(MachineId(update.key.name)));
      }
    }
  }
  batch.Put(keys::OfLog(committed.revision), Encode(committed));
}

void Database::StageTouched(rocksdb::WriteBatch& batch, const Inventory& after, Revision first,
                            std::uint64_t journal_position) {
  after.journal().ForEachSince(journal_position, [&](MachineIndex index) {
    const MachineState& machine = after[index];
    // A policy touches every machine without changing its revision.
    if (machine.vacant() || machine.revision < first || machine.revision == machine.own_revision) {
      return;
    }
    batch.Put(keys::OfTouched(machine.record.name), EncodeNumber(ToNumber(machine.revision)));
  });
}

Status Database::StageTrim(rocksdb::WriteBatch& batch, StoredHead& head, Commits commits) {
  const std::size_t trimmed_max = kTrimmedPerWriteMax + 2 * commits.size();
  for (std::size_t i = 0; i < trimmed_max && head.log_start <= head.revision; ++i) {
    if (head.log_start > head_.revision) {
      oldest_ = commits[ToNumber(head.log_start) - ToNumber(head_.revision) - 1];
    } else if (oldest_ == nullptr || oldest_->revision != head.log_start) {
      BERTH_TRY(oldest_, ReadLog(head.log_start));
    }
    const std::uint64_t held = ToNumber(head.revision) - ToNumber(head.log_start) + 1;
    if (held <= retention_.revisions && head.at - oldest_->at <= retention_.age) break;
    for (const Update& update : oldest_->updates) {
      if (update.key.kind != RecordKind::kDecision) continue;
      batch.Delete(keys::OfDecision({update.key.name, update.key.number}));
    }
    head.log_start = Next(head.log_start);
  }
  const std::uint64_t waiting = ToNumber(head.log_start) - ToNumber(erased_);
  if (waiting > 0 &&
      waiting >= std::min<std::uint64_t>(retention_.revisions / 16, kErasedAtOnceMax)) {
    batch.DeleteRange(keys::OfLog(erased_), keys::OfLog(head.log_start));
    erased_ = head.log_start;
  }
  return {};
}

Result<std::shared_ptr<const Committed>> Database::ReadLog(Revision revision) const {
  if (revision < head_.log_start) {
    return Status(Code::kOutOfRange,
                  fmt::format("the log no longer holds revision {}", ToNumber(revision)));
  }
  const std::string key = keys::OfLog(revision);
  BERTH_TRY(const std::string bytes, Get(key));
  Result<Committed> committed = DecodeCommitted(bytes);
  if (!committed.ok()) return Damaged(key, committed.status().message());
  if (committed.value().revision != revision) return Damaged(key, "it holds another revision");
  return std::make_shared<const Committed>(std::move(committed).value());
}

Result<Decision> Database::ReadDecision(const DecisionId& id) const {
  const Result<std::string> index = Get(keys::OfDecision(id));
  if (!index.ok() && index.status().code() == Code::kNotFound) {
    return Status(
        Code::kNotFound,
        fmt::format("there is no decision {}, or the log no longer holds it", ToString(id)));
  }
  if (!index.ok()) return index.status();
  Result<std::uint64_t> revision = DecodeNumber(index.value());
  if (!revision.ok()) return Damaged(keys::OfDecision(id), revision.status().message());
  BERTH_TRY(const auto committed, ReadLog(Revision{revision.value()}));
  for (const Update& update : committed->updates) {
    if (update.key.kind == RecordKind::kDecision && update.key.number == id.sequence &&
        update.key.name == id.agent && update.record) {
      return std::get<Decision>(*update.record);
    }
  }
  return Damaged(keys::OfDecision(id), "its revision does not hold it");
}

}  // namespace berth
