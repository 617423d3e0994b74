// Everything in the database, entry by entry, and a database made of such entries.
#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <utility>

#include "store/database.h"
#include "store/keys.h"

namespace berth {
namespace {

// In one write while filling.
constexpr std::size_t kBatchBytes = std::size_t{4} << 20;

DamagedEntry DamagedAt(std::string_view key, std::string why) {
  return {.where = fmt::format("key {}", keys::Readable(key)), .why = std::move(why)};
}

StoredEntry RecordEntry(RecordKind kind, const std::string& key, std::string_view value) {
  Result<StoredRecord> stored = DecodeStoredRecord(value);
  if (!stored.ok()) return DamagedAt(key, stored.status().message());
  Update update = {.key = KeyOf(kind, ""),
                   .record = std::move(stored.value().record),
                   .revision = stored.value().revision};
  if (update.record) update.key = KeyOf(*update.record);
  if (update.key.kind != kind || keys::OfRecord(update.key) != key) {
    return DamagedAt(key, "it holds another record");
  }
  return update;
}

// The key's end, after the agent's name and a slash, is the sequence in eight bytes.
std::optional<DecisionId> DecisionOf(std::string_view rest) {
  if (rest.size() < 9) return std::nullopt;
  DecisionId id = {.agent = std::string(rest.substr(0, rest.size() - 9)), .sequence = 0};
  for (const char byte : rest.substr(rest.size() - 8)) {
    id.sequence = id.sequence << 8 | static_cast<unsigned char>(byte);
  }
  return id;
}

// A log entry must be the one that comes at `log_end`, which then moves on.
Status StageCommitted(rocksdb::WriteBatch& batch, const Committed& committed, Revision& log_end) {
  if (committed.revision != log_end) return LogLacks(log_end);
  log_end = Next(log_end);
  for (const Update& update : committed.updates) {
    if (update.key.kind != RecordKind::kDecision) continue;
    batch.Put(keys::OfDecision({update.key.name, update.key.number}),
              EncodeNumber(ToNumber(committed.revision)));
  }
  batch.Put(keys::OfLog(committed.revision), Encode(committed));
  return {};
}

Status StageEntry(rocksdb::WriteBatch& batch, const StoredEntry& entry, Revision& log_end) {
  if (const auto* committed = std::get_if<std::shared_ptr<const Committed>>(&entry)) {
    return StageCommitted(batch, **committed, log_end);
  }
  if (const auto* update = std::get_if<Update>(&entry)) {
    batch.Put(keys::OfRecord(update->key),
              Encode(StoredRecord{.revision = update->revision, .record = update->record}));
  } else if (const auto* touched = std::get_if<TouchedMachine>(&entry)) {
    batch.Put(keys::OfTouched(touched->machine), EncodeNumber(ToNumber(touched->revision)));
  } else if (const auto* agent = std::get_if<AgentSequence>(&entry)) {
    batch.Put(keys::OfAgent(agent->agent), EncodeNumber(agent->last));
  } else {
    return {Code::kInvalidArgument, "it holds an entry that does not belong there"};
  }
  return {};
}

}  // namespace

Status Database::ReadContents(const StoreContents::Take& take) const {
  BERTH_RETURN_IF_ERROR(take(head_));
  BERTH_RETURN_IF_ERROR(ReadRecords(take));
  BERTH_RETURN_IF_ERROR(ReadNumbers(take));
  return ReadLogEntries(take);
}

Status Database::ReadRecords(const StoreContents::Take& take) const {
  for (const RecordKind kind : kInstallOrder) {
    const std::string prefix = keys::Records(kind);
    BERTH_RETURN_IF_ERROR(Scan(prefix, [&](std::string_view rest, std::string_view value) {
      return take(RecordEntry(kind, prefix + std::string(rest), value));
    }));
  }
  return {};
}

Status Database::ReadNumbers(const StoreContents::Take& take) const {
  const auto scan = [&](std::string_view prefix, auto entry) {
    return Scan(prefix, [&](std::string_view rest, std::string_view value) {
      const Result<std::uint64_t> number = DecodeNumber(value);
      if (number.ok()) return take(entry(rest, number.value()));
      return take(DamagedAt(std::string(prefix).append(rest), number.status().message()));
    });
  };
  BERTH_RETURN_IF_ERROR(scan(keys::kTouched, [](std::string_view machine, std::uint64_t revision) {
    return StoredEntry(TouchedMachine{MachineId(machine), Revision{revision}});
  }));
  return scan(keys::kAgents, [](std::string_view agent, std::uint64_t last) {
    return StoredEntry(AgentSequence{.agent = std::string(agent), .last = last});
  });
}

Status Database::ReadLogEntries(const StoreContents::Take& take) const {
  Status read = Scan(keys::kLog, [&](std::string_view rest, std::string_view value) {
    const std::string key = std::string(keys::kLog).append(rest);
    const std::optional<Revision> revision = keys::LogRevision(key);
    if (!revision) return take(DamagedAt(key, "it is not a revision"));
    if (*revision < head_.log_start) return Status();  // No longer in the log, not yet erased.
    Result<Committed> committed = DecodeCommitted(value);
    if (!committed.ok()) return take(DamagedAt(key, committed.status().message()));
    if (committed.value().revision != *revision) {
      return take(DamagedAt(key, "it holds another revision"));
    }
    BERTH_RETURN_IF_ERROR(CheckDecisionIndex(committed.value(), take));
    return take(std::make_shared<const Committed>(std::move(committed).value()));
  });
  if (!read.ok()) return read;
  return Scan(keys::kDecisions, [&](std::string_view rest, std::string_view) {
    const std::optional<DecisionId> id = DecisionOf(rest);
    if (id && ReadDecision(*id).ok()) return Status();
    return take(DamagedAt(std::string(keys::kDecisions).append(rest),
                          "it leads to no decision of the log"));
  });
}

Status Database::CheckDecisionIndex(const Committed& committed,
                                    const StoreContents::Take& take) const {
  for (const Update& update : committed.updates) {
    if (update.key.kind != RecordKind::kDecision) continue;
    const std::string key = keys::OfDecision({update.key.name, update.key.number});
    const Result<std::string> value = Get(key);
    if (value.ok() && value.value() == EncodeNumber(ToNumber(committed.revision))) continue;
    BERTH_RETURN_IF_ERROR(take(DamagedAt(
        key, fmt::format("it does not lead to revision {} of the log, which holds the decision",
                         ToNumber(committed.revision)))));
  }
  return {};
}

Status Database::Fill(const StoreContents::Next& next) {
  BERTH_TRY(std::optional<StoredEntry> entry, next());
  const auto* first = entry ? std::get_if<StoredHead>(&*entry) : nullptr;
  if (first == nullptr) return {Code::kInvalidArgument, "it does not begin with where it stands"};
  const StoredHead head = *first;
  rocksdb::WriteBatch batch;
  Revision log_end = head.log_start;
  for (;;) {
    BERTH_TRY(entry, next());
    if (!entry) break;
    BERTH_RETURN_IF_ERROR(StageEntry(batch, *entry, log_end));
    if (batch.GetDataSize() < kBatchBytes) continue;
    BERTH_RETURN_IF_ERROR(WriteAll(batch, /*sync=*/false));
    batch.Clear();
  }
  if (log_end != Next(head.revision)) return LogLacks(log_end);
  batch.Put(rocksdb::Slice(keys::kHead), Encode(head));
  BERTH_RETURN_IF_ERROR(WriteAll(batch, /*sync=*/true));
  head_ = head;
  return {};
}

}  // namespace berth
