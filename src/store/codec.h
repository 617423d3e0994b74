// Records and log entries as bytes: protobuf's wire format, so that `protoc --decode_raw` reads
// what the store wrote. docs/store.md lists every field; unknown ones are skipped, and bytes that
// make no sense are a Status.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "berth/records.h"
#include "berth/status.h"
#include "berth/store.h"

namespace berth {

// A record with the revision that it was last written at. Without one it was removed, and only the
// revision is remembered.
struct StoredRecord {
  Revision revision{};
  std::optional<Record> record;
};

// Where the store stands.
struct StoredHead {
  Revision revision{};    // The last commit,
  Time at;                // and its time.
  Revision log_start{1};  // The oldest revision in the log; the next one if the log is empty.
};

std::string Encode(const Record& record);
std::string Encode(const StoredRecord& stored);
std::string Encode(const Committed& committed);
std::string Encode(const StoredHead& head);
std::string EncodeNumber(std::uint64_t number);
std::string EncodeFormat(std::uint64_t version);

Result<Record> DecodeRecord(std::string_view bytes);
Result<StoredRecord> DecodeStoredRecord(std::string_view bytes);
Result<Committed> DecodeCommitted(std::string_view bytes);
Result<StoredHead> DecodeHead(std::string_view bytes);
Result<std::uint64_t> DecodeNumber(std::string_view bytes);
Result<std::uint64_t> DecodeFormat(std::string_view bytes);

}  // namespace berth
