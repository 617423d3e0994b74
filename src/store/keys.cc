#include "store/keys.h"

#include "berth/check.h"

namespace berth::keys {
namespace {

// Part of the stored format, so not the words that messages use.
std::string_view Word(RecordKind kind) {
  switch (kind) {
    case RecordKind::kTenant:
      return "tenant";
    case RecordKind::kType:
      return "type";
    case RecordKind::kMachine:
      return "machine";
    case RecordKind::kService:
      return "service";
    case RecordKind::kInstance:
      return "instance";
    case RecordKind::kPolicy:
      return "policy";
    case RecordKind::kLease:
      return "lease";
    case RecordKind::kIdempotency:
      return "idempotency";
    case RecordKind::kDecision:
      break;
  }
  BERTH_CHECK(false);
}

void AppendBigEndian(std::string& key, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8) key.push_back(static_cast<char>(number >> shift));
}

}  // namespace

std::string Records(RecordKind kind) {
  std::string key = "record/";
  key.append(Word(kind)).push_back('/');
  return key;
}

std::string OfRecord(const RecordKey& record) {
  std::string key = Records(record.kind);
  key.append(record.name);
  if (record.kind == RecordKind::kInstance) {
    key.push_back('/');
    AppendBigEndian(key, record.number);
  }
  return key;
}

std::string OfLog(Revision revision) {
  std::string key(kLog);
  AppendBigEndian(key, ToNumber(revision));
  return key;
}

std::string OfDecision(const DecisionId& id) {
  std::string key(kDecisions);
  key.append(id.agent).push_back('/');
  AppendBigEndian(key, id.sequence);
  return key;
}

std::string OfAgent(std::string_view agent) { return std::string(kAgents).append(agent); }

std::string OfTouched(MachineId machine) { return std::string(kTouched).append(machine.str()); }

std::string Readable(std::string_view key) {
  std::string readable;
  for (const char c : key) readable.push_back(c >= ' ' && c <= '~' ? c : '?');
  return readable;
}

std::string PastPrefix(std::string_view prefix) {
  std::string past(prefix);
  BERTH_CHECK(!past.empty() && past.back() != '\xff');
  past.back() = static_cast<char>(past.back() + 1);
  return past;
}

std::optional<Revision> LogRevision(std::string_view key) {
  if (!key.starts_with(kLog) || key.size() != kLog.size() + 8) return std::nullopt;
  std::uint64_t number = 0;
  for (const char byte : key.substr(kLog.size())) {
    number = number << 8 | static_cast<unsigned char>(byte);
  }
  return Revision{number};
}

}  // namespace berth::keys
