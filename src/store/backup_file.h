// The backup file: everything a store keeps, in one file that a store of any kind can be restored
// from. docs/store.md describes the bytes.
//
// Every entry carries a checksum and the last one counts and sums up all before it, so a file that
// was cut short, damaged or put together from parts is noticed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "berth/status.h"
#include "store/contents.h"

namespace berth {

// Of the file. A newer one is refused, and so is one of records in a newer stored format.
inline constexpr std::uint64_t kBackupVersion = 1;
// Far more than a commit or a policy takes.
inline constexpr std::size_t kBackupEntryBytesMax = std::size_t{256} << 20;

// Whether the stream took everything is the caller's to ask it, after Finish.
class BackupWriter {
 public:
  explicit BackupWriter(std::ostream& out);
  // In the order in which StoreContents reads them; nothing damaged. One that no reader would take
  // is an error.
  Status Add(const StoredEntry& entry);
  void Finish();

 private:
  void Append(std::string_view bytes);
  void AppendFramed(const std::string& entry);

  std::ostream& out_;
  std::uint64_t entries_ = 0;
  std::uint32_t checksum_ = 0;  // Of every byte so far.
};

class BackupReader {
 public:
  // Errors begin with `name`.
  BackupReader(std::istream& in, std::string name);
  // None after the last, and then the file was whole.
  Result<std::optional<StoredEntry>> Next();

 private:
  Status Begin();
  Status Take(std::size_t size, std::string& bytes);
  Status TakeFramed(std::string& entry);
  Status CheckEnd(std::string_view end, std::uint32_t checksum_before);
  Status Wrong(std::string_view what) const;

  std::istream& in_;
  const std::string name_;
  bool begun_ = false;
  std::uint64_t entries_ = 0;
  std::uint64_t position_ = 0;
  std::uint32_t checksum_ = 0;
};

// One entry without its frame. Nothing damaged can be written.
std::string EncodeBackupEntry(const StoredEntry& entry);
Result<StoredEntry> DecodeBackupEntry(std::string_view bytes);

}  // namespace berth
