// A store into a file, and a store out of one.
#pragma once

#include <cstdint>
#include <string>

#include "berth/status.h"
#include "store/contents.h"

namespace berth {

struct BackupSummary {
  Revision revision{};
  std::uint64_t records = 0;
  std::uint64_t revisions = 0;  // In the log.
};

// The file is there whole and durable, or not at all. One that is there already is left alone, and
// so is a store that cannot be read whole.
Result<BackupSummary> WriteBackup(const StoreContents& from, const std::string& file);

// The same of the store, in a place that holds nothing yet.
Result<BackupSummary> RestoreBackup(const std::string& file, const StoreContents& to);

}  // namespace berth
