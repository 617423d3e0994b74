#include "store/backup.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "store/backup_file.h"
#include "store/durable.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

void Count(const StoredEntry& entry, BackupSummary& summary) {
  if (const auto* head = std::get_if<StoredHead>(&entry)) summary.revision = head->revision;
  if (std::holds_alternative<Update>(entry)) ++summary.records;
  if (std::holds_alternative<std::shared_ptr<const Committed>>(entry)) ++summary.revisions;
}

Status CannotWrite(const std::string& file) {
  return {Code::kUnavailable,
          fmt::format("cannot write {}: is the folder there and writable, and the disk not full?",
                      file)};
}

// To `temporary`; messages name `file`.
Result<BackupSummary> WriteAll(const StoreContents& from, const fs::path& temporary,
                               const std::string& file) {
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  if (!out) return CannotWrite(file);
  BackupSummary summary;
  BackupWriter writer(out);
  const Status read = from.Read([&](const StoredEntry& entry) {
    if (const auto* damaged = std::get_if<DamagedEntry>(&entry)) {
      return Status(Code::kFailedPrecondition,
                    fmt::format("the store is damaged at {}: {}; 'berth verify' names everything",
                                damaged->where, damaged->why));
    }
    Count(entry, summary);
    BERTH_RETURN_IF_ERROR(writer.Add(entry));
    return out ? Status() : CannotWrite(file);
  });
  if (!read.ok()) return read;
  writer.Finish();
  out.close();
  if (!out) return CannotWrite(file);
  BERTH_RETURN_IF_ERROR(SyncPath(temporary));
  return summary;
}

}  // namespace

Result<BackupSummary> WriteBackup(const StoreContents& from, const std::string& file) {
  std::error_code ignored;
  if (fs::exists(file, ignored)) {
    return Status(Code::kAlreadyExists,
                  fmt::format("{} is there already; remove it or choose another name", file));
  }
  const fs::path temporary = TemporaryFor(file);
  Result<BackupSummary> written = WriteAll(from, temporary, file);
  if (written.ok()) {
    if (Status status = PutInPlace(temporary, file); !status.ok()) written = std::move(status);
  }
  if (!written.ok()) fs::remove(temporary, ignored);
  return written;
}

Result<BackupSummary> RestoreBackup(const std::string& file, const StoreContents& to) {
  std::ifstream in(file, std::ios::binary);
  std::error_code ignored;
  if (!in || fs::is_directory(file, ignored)) {
    return Status(Code::kNotFound, fmt::format("cannot read {}; name a backup", file));
  }
  BackupReader reader(in, file);
  BackupSummary summary;
  bool file_failed = false;
  const Status filled = to.Fill([&]() -> Result<std::optional<StoredEntry>> {
    Result<std::optional<StoredEntry>> entry = reader.Next();
    file_failed = !entry.ok();
    if (entry.ok() && entry.value()) Count(*entry.value(), summary);
    return entry;
  });
  if (filled.ok()) return summary;
  if (file_failed) return filled;  // Its message begins with the file.
  return Status(filled.code(), fmt::format("cannot restore {}: {}", file, filled.message()));
}

}  // namespace berth
