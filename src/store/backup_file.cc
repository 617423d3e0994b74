#include "store/backup_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <istream>
#include <ostream>
#include <utility>

#include "base/wire.h"
#include "berth/check.h"
#include "store/database.h"

namespace berth {
namespace {

// Text, so that whoever looks into the file sees what it is.
constexpr std::string_view kMagic = "berth-backup\n";
constexpr std::size_t kFrameBytes = 8;  // Size and checksum of what follows.
// Taken at a time, so that a wrong size costs no more memory than the file has bytes.
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

// The kinds of entries, as fields of which each entry has one. Numbers are never reused.
enum Field : std::uint32_t {
  kHeader = 1,
  kHead = 2,
  kRecord = 3,
  kTouched = 4,
  kAgent = 5,
  kCommit = 6,
  kEnd = 7,
};

std::uint32_t Checksum(std::uint32_t before, std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void AppendLittleEndian(std::string& out, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(number >> shift));
}

std::uint32_t LittleEndian(std::string_view bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    number |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return number;
}

std::string Message(Field field, std::string_view bytes) {
  std::string message;
  WireWriter(message).PutText(field, bytes);
  return message;
}

// Two numbers, or a name and a number: the entries that are not of the stored format.
std::string Pair(Field field, std::string_view name, std::uint64_t first, std::uint64_t second) {
  std::string message;
  WireWriter(message).PutMessage(field, [&](WireWriter& inner) {
    inner.PutText(1, name);
    inner.PutUint(2, first);
    inner.PutUint(3, second);
  });
  return message;
}
struct Paired {
  std::string_view name;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};
Result<Paired> DecodePair(std::string_view bytes) {
  Paired pair;
  WireReader in(bytes);
  while (in.Next()) {
    if (in.field() == 1) pair.name = in.Text();
    if (in.field() == 2) pair.first = in.Uint();
    if (in.field() == 3) pair.second = in.Uint();
  }
  if (!in.status().ok()) return in.status();
  return pair;
}

struct Fielded {
  std::uint32_t field = 0;
  std::string_view bytes;
};
Result<Fielded> DecodeField(std::string_view entry) {
  WireReader in(entry);
  Fielded found;
  if (in.Next()) found = {.field = in.field(), .bytes = in.Text()};
  if (in.status().ok() && in.Next()) in.Fail("an entry of two kinds");
  if (!in.status().ok()) return in.status();
  return found;
}

Result<StoredEntry> RecordEntry(std::string_view bytes) {
  BERTH_TRY(StoredRecord stored, DecodeStoredRecord(bytes));
  Update update = {.key = KeyOf(RecordKind::kPolicy, ""),
                   .record = std::move(stored.record),
                   .revision = stored.revision};
  if (update.record) update.key = KeyOf(*update.record);
  if (update.key.kind == RecordKind::kDecision) {
    return Status(Code::kInvalidArgument, "a decision outside of the log");
  }
  return StoredEntry(std::move(update));
}

struct EncodeKind {
  std::string operator()(const StoredHead& head) const { return Message(kHead, Encode(head)); }
  std::string operator()(const Update& update) const {
    return Message(kRecord,
                   Encode(StoredRecord{.revision = update.revision, .record = update.record}));
  }
  std::string operator()(const TouchedMachine& touched) const {
    return Pair(kTouched, touched.machine.str(), ToNumber(touched.revision), 0);
  }
  std::string operator()(const AgentSequence& agent) const {
    return Pair(kAgent, agent.agent, agent.last, 0);
  }
  std::string operator()(const std::shared_ptr<const Committed>& committed) const {
    return Message(kCommit, Encode(*committed));
  }
  std::string operator()(const DamagedEntry&) const { BERTH_CHECK(false); }
};

}  // namespace

std::string EncodeBackupEntry(const StoredEntry& entry) { return std::visit(EncodeKind(), entry); }

Result<StoredEntry> DecodeBackupEntry(std::string_view bytes) {
  BERTH_TRY(const Fielded found, DecodeField(bytes));
  switch (found.field) {
    case kHead: {
      BERTH_TRY(const StoredHead head, DecodeHead(found.bytes));
      return StoredEntry(head);
    }
    case kRecord:
      return RecordEntry(found.bytes);
    case kTouched: {
      BERTH_TRY(const Paired pair, DecodePair(found.bytes));
      return StoredEntry(TouchedMachine{MachineId(pair.name), Revision{pair.first}});
    }
    case kAgent: {
      BERTH_TRY(const Paired pair, DecodePair(found.bytes));
      return StoredEntry(AgentSequence{.agent = std::string(pair.name), .last = pair.first});
    }
    case kCommit: {
      BERTH_TRY(Committed committed, DecodeCommitted(found.bytes));
      return StoredEntry(std::make_shared<const Committed>(std::move(committed)));
    }
    default:
      return Status(Code::kInvalidArgument, "an entry of a kind that this berth does not know");
  }
}

BackupWriter::BackupWriter(std::ostream& out) : out_(out) {
  Append(kMagic);
  AppendFramed(Pair(kHeader, "", kBackupVersion, kFormatVersion));
}

void BackupWriter::Append(std::string_view bytes) {
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  checksum_ = Checksum(checksum_, bytes);
}

void BackupWriter::AppendFramed(const std::string& entry) {
  std::string frame;
  AppendLittleEndian(frame, static_cast<std::uint32_t>(entry.size()));
  AppendLittleEndian(frame, Checksum(0, entry));
  Append(frame);
  Append(entry);
}

Status BackupWriter::Add(const StoredEntry& entry) {
  const std::string bytes = EncodeBackupEntry(entry);
  if (bytes.size() > kBackupEntryBytesMax) {
    return {Code::kResourceExhausted,
            fmt::format("an entry has {} bytes, a backup takes at most {}", bytes.size(),
                        kBackupEntryBytesMax)};
  }
  AppendFramed(bytes);
  ++entries_;
  return {};
}

void BackupWriter::Finish() {
  AppendFramed(Pair(kEnd, "", entries_, checksum_));
  out_.flush();
}

BackupReader::BackupReader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {}

Status BackupReader::Wrong(std::string_view what) const {
  return {Code::kInvalidArgument, fmt::format("{}: {}", name_, what)};
}

Status BackupReader::Take(std::size_t size, std::string& bytes) {
  bytes.clear();
  while (bytes.size() < size) {
    const std::size_t had = bytes.size();
    bytes.resize(had + std::min(size - had, kPieceBytes));
    in_.read(bytes.data() + had, static_cast<std::streamsize>(bytes.size() - had));
    if (static_cast<std::size_t>(in_.gcount()) == bytes.size() - had) continue;
    if (in_.bad()) return Wrong("cannot be read to its end");
    return Wrong(fmt::format("ends early, within entry {}; it was cut short: take another copy",
                             entries_ + 1));
  }
  position_ += size;
  checksum_ = Checksum(checksum_, bytes);
  return {};
}

Status BackupReader::TakeFramed(std::string& entry) {
  const std::uint64_t begin = position_;
  std::string frame;
  BERTH_RETURN_IF_ERROR(Take(kFrameBytes, frame));
  const std::uint32_t size = LittleEndian(frame);
  const auto damaged = [&] {
    return Wrong(
        fmt::format("is damaged at byte {}, entry {}; take another copy", begin, entries_ + 1));
  };
  if (size > kBackupEntryBytesMax) return damaged();
  BERTH_RETURN_IF_ERROR(Take(size, entry));
  if (Checksum(0, entry) != LittleEndian(std::string_view(frame).substr(4))) return damaged();
  return {};
}

Status BackupReader::Begin() {
  std::string bytes;
  if (!Take(kMagic.size(), bytes).ok() || bytes != kMagic) {
    return Wrong("is no backup; name a file that 'berth backup' wrote");
  }
  BERTH_RETURN_IF_ERROR(TakeFramed(bytes));
  const Result<Fielded> header = DecodeField(bytes);
  const Result<Paired> versions = header.ok() && header.value().field == kHeader
                                      ? DecodePair(header.value().bytes)
                                      : Result<Paired>(Status(Code::kInvalidArgument, "no header"));
  if (!versions.ok()) return Wrong("does not begin as a backup does; take another copy");
  if (versions.value().first > kBackupVersion || versions.value().second > kFormatVersion) {
    return Wrong(fmt::format(
        "was written by a newer berth (backup {}, format {}; this one reads "
        "up to {} and {}); use that one",
        versions.value().first, versions.value().second, kBackupVersion, kFormatVersion));
  }
  return {};
}

Result<std::optional<StoredEntry>> BackupReader::Next() {
  if (!std::exchange(begun_, true)) BERTH_RETURN_IF_ERROR(Begin());
  const std::uint32_t checksum_before = checksum_;
  std::string bytes;
  BERTH_RETURN_IF_ERROR(TakeFramed(bytes));
  const Result<Fielded> found = DecodeField(bytes);
  if (found.ok() && found.value().field == kEnd) {
    BERTH_RETURN_IF_ERROR(CheckEnd(found.value().bytes, checksum_before));
    return std::optional<StoredEntry>();
  }
  Result<StoredEntry> entry = DecodeBackupEntry(bytes);
  if (!entry.ok()) {
    return Wrong(fmt::format("entry {}: {}", entries_ + 1, entry.status().message()));
  }
  ++entries_;
  return std::optional<StoredEntry>(std::move(entry).value());
}

Status BackupReader::CheckEnd(std::string_view end, std::uint32_t checksum_before) {
  const Result<Paired> sums = DecodePair(end);
  if (!sums.ok() || sums.value().first != entries_ || sums.value().second != checksum_before) {
    return Wrong("is not what was written: its end does not fit; take another copy");
  }
  if (in_.peek() != std::istream::traits_type::eof()) {
    return Wrong("goes on after its end; take another copy");
  }
  return {};
}

}  // namespace berth
