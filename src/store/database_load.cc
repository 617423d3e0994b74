// Reading the whole state at start. What is read is checked before it is believed: damage is an
// answer that names the key, never a crash.
#include <fmt/format.h>
#include <rocksdb/db.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "store/database.h"
#include "store/installable.h"
#include "store/keys.h"

namespace berth {
namespace {

Status InstallStored(Inventory& inventory, RecordKind kind, std::string_view key,
                     std::string_view value, Revision newest) {
  BERTH_TRY(StoredRecord stored, DecodeStoredRecord(value));
  Update update = {
      .key = KeyOf(kind, ""), .record = std::move(stored.record), .revision = stored.revision};
  if (update.record) update.key = KeyOf(*update.record);
  if (update.key.kind != kind || keys::OfRecord(update.key) != key) {
    return {Code::kInternal, "it holds another record"};
  }
  if (stored.revision > newest) {
    return {Code::kInternal, fmt::format("its revision {} is newer than the store's {}",
                                         ToNumber(stored.revision), ToNumber(newest))};
  }
  BERTH_RETURN_IF_ERROR(CheckInstallable(inventory, update));
  inventory.Install(update);
  return {};
}

}  // namespace

Status Database::Scan(std::string_view prefix, const Visit& visit) const {
  const std::string past = keys::PastPrefix(prefix);
  const rocksdb::Slice upper(past);
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper;
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator(options));
  for (at->Seek(rocksdb::Slice(prefix)); at->Valid(); at->Next()) {
    std::string_view key(at->key().data(), at->key().size());
    const std::string_view value(at->value().data(), at->value().size());
    BERTH_RETURN_IF_ERROR(visit(key.substr(prefix.size()), value));
  }
  if (at->status().ok()) return {};
  return {Code::kUnavailable, at->status().ToString()};
}

Result<Inventory> Database::Load() const {
  Inventory inventory;
  inventory.SetRevision(head_.revision);
  for (const RecordKind kind : kInstallOrder) {
    const std::string prefix = keys::Records(kind);
    BERTH_RETURN_IF_ERROR(Scan(prefix, [&](std::string_view rest, std::string_view value) {
      const std::string key = prefix + std::string(rest);
      const Status installed = InstallStored(inventory, kind, key, value, head_.revision);
      return installed.ok() ? installed : Damaged(key, installed.message());
    }));
  }
  BERTH_RETURN_IF_ERROR(Scan(keys::kTouched, [&](std::string_view rest, std::string_view value) {
    const Result<std::uint64_t> revision = DecodeNumber(value);
    if (!revision.ok() || revision.value() > ToNumber(head_.revision)) {
      return Damaged(std::string(keys::kTouched).append(rest), "it is not a revision");
    }
    inventory.TouchMachine(MachineId(rest), Revision{revision.value()});
    return Status();
  }));
  BERTH_RETURN_IF_ERROR(Scan(keys::kAgents, [&](std::string_view rest, std::string_view value) {
    const Result<std::uint64_t> sequence = DecodeNumber(value);
    if (!sequence.ok()) {
      return Damaged(std::string(keys::kAgents).append(rest), sequence.status().message());
    }
    RecordKey key = KeyOf(RecordKind::kDecision, rest);
    key.number = sequence.value();
    inventory.Install({.key = std::move(key), .record = std::nullopt, .revision = {}});
    return Status();
  }));
  return inventory;
}

}  // namespace berth
