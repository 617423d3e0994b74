// Backups: whatever bytes a file holds, it is refused by name or read to its end; and an entry that
// reads is written and read again the same. Entries are also tried without their checksums, which
// nothing random would get past.
#include <sstream>
#include <string>

#include "berth/check.h"
#include "fuzz/target.h"
#include "store/backup_file.h"

namespace {

using namespace berth;  // NOLINT(google-build-using-namespace): a program of its own.

void ReadAsFile(const std::string& bytes) {
  std::istringstream in(bytes);
  BackupReader reader(in, "fuzz");
  for (;;) {
    const Result<std::optional<StoredEntry>> entry = reader.Next();
    if (!entry.ok()) BERTH_CHECK(entry.status().message().starts_with("fuzz: "));
    if (!entry.ok() || !entry.value()) return;
  }
}

void ReadAsEntry(const std::string& bytes) {
  const Result<StoredEntry> entry = DecodeBackupEntry(bytes);
  if (!entry.ok()) return;
  const std::string written = EncodeBackupEntry(entry.value());
  const Result<StoredEntry> again = DecodeBackupEntry(written);
  BERTH_CHECK(again.ok());
  BERTH_CHECK(again.value().index() == entry.value().index());
  BERTH_CHECK(EncodeBackupEntry(again.value()) == written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  ReadAsFile(bytes);
  ReadAsEntry(bytes);
  return 0;
}
