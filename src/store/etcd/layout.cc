#include "store/etcd/layout.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "base/wire.h"
#include "store/keys.h"

namespace berth {
namespace {

constexpr std::uint32_t kHeadTouched = 4;  // After the fields of a StoredHead.
// Well after the fields of a Commit, which may get more.
constexpr std::uint32_t kEntryWriter = 13;
constexpr std::uint32_t kEntryTransaction = 14;
constexpr std::uint32_t kEntryTouched = 15;

std::string Number(std::uint64_t number) { return fmt::format("{:020}", number); }

Status DecodeTouched(WireReader in, LogEntry& entry) {
  TouchedMachine& touched = entry.touched.emplace_back();
  while (in.Next()) {
    if (in.field() == 1) touched.machine = MachineId(in.Text());
    if (in.field() == 2) touched.revision = Revision{in.Uint()};
  }
  return in.status();
}

}  // namespace

std::string EtcdKeys::Format() const { return root_ + std::string(keys::kFormat); }
std::string EtcdKeys::Head() const { return root_ + std::string(keys::kHead); }
std::string EtcdKeys::Opened() const { return root_ + "opened"; }
std::string EtcdKeys::Records(RecordKind kind) const { return root_ + keys::Records(kind); }
std::string EtcdKeys::OfRecord(const RecordKey& key) const { return root_ + keys::OfRecord(key); }
std::string EtcdKeys::OfLog(Revision revision) const {
  return root_ + std::string(keys::kLog) + Number(ToNumber(revision));
}
std::string EtcdKeys::Decisions() const { return root_ + std::string(keys::kDecisions); }
std::string EtcdKeys::OfDecision(const DecisionId& id) const {
  return Decisions() + id.agent + "/" + Number(id.sequence);
}
std::string EtcdKeys::Agents() const { return root_ + std::string(keys::kAgents); }
std::string EtcdKeys::OfAgent(std::string_view agent) const { return root_ + keys::OfAgent(agent); }
std::string EtcdKeys::Touched() const { return root_ + std::string(keys::kTouched); }
std::string EtcdKeys::OfTouched(MachineId machine) const {
  return root_ + keys::OfTouched(machine);
}
std::string EtcdKeys::PastLog() const { return keys::PastPrefix(root_ + std::string(keys::kLog)); }

std::optional<Revision> EtcdKeys::LogRevision(std::string_view key) const {
  const std::size_t before = root_.size() + keys::kLog.size();
  if (!key.starts_with(root_) || !key.substr(root_.size()).starts_with(keys::kLog)) {
    return std::nullopt;
  }
  std::uint64_t number = 0;
  const char* end = key.data() + key.size();
  const auto [read_to, error] = std::from_chars(key.data() + before, end, number);
  if (error != std::errc() || read_to != end) return std::nullopt;
  return Revision{number};
}

std::string Encode(const EtcdHead& head) {
  std::string bytes = Encode(head.stored);
  WireWriter(bytes).PutUint(kHeadTouched, ToNumber(head.touched));
  return bytes;
}

Result<EtcdHead> DecodeEtcdHead(std::string_view bytes) {
  EtcdHead head;
  BERTH_TRY(head.stored, DecodeHead(bytes));
  WireReader in(bytes);
  while (in.Next()) {
    if (in.field() == kHeadTouched) head.touched = Revision{in.Uint()};
  }
  BERTH_RETURN_IF_ERROR(in.status());
  return head;
}

std::string Encode(const Committed& committed, const Origin& origin,
                   const std::vector<const MachineState*>& touched) {
  std::string bytes = Encode(committed);
  WireWriter out(bytes);
  out.PutUint(kEntryWriter, origin.writer);
  out.PutUint(kEntryTransaction, origin.transaction);
  for (const MachineState* machine : touched) {
    out.PutMessage(kEntryTouched, [&](WireWriter& inner) {
      inner.PutText(1, machine->record.name.str());
      inner.PutUint(2, ToNumber(machine->revision));
    });
  }
  return bytes;
}

Result<LogEntry> DecodeLogEntry(std::string_view bytes) {
  LogEntry entry;
  BERTH_TRY(Committed committed, DecodeCommitted(bytes));
  entry.committed = std::make_shared<const Committed>(std::move(committed));
  WireReader in(bytes);
  while (in.Next()) {
    if (in.field() == kEntryWriter) entry.origin.writer = in.Uint();
    if (in.field() == kEntryTransaction) entry.origin.transaction = in.Uint();
    if (in.field() == kEntryTouched) BERTH_RETURN_IF_ERROR(DecodeTouched(in.Message(), entry));
  }
  BERTH_RETURN_IF_ERROR(in.status());
  return entry;
}

std::string Encode(const ServiceState& service) {
  std::string bytes =
      Encode(StoredRecord{.revision = service.own_revision, .record = service.record});
  WireWriter out(bytes);
  for (const KeptInstance& kept : service.instances) {
    Instance instance(static_cast<const Instance&>(kept));  // Its revision is beside it.
    instance.id.service.clear();
    out.PutText(3, Encode(StoredRecord{.revision = kept.revision, .record = std::move(instance)}));
  }
  return bytes;
}

Result<std::vector<Update>> DecodeService(std::string_view bytes) {
  BERTH_TRY(StoredRecord service, DecodeStoredRecord(bytes));
  if (!service.record || !std::holds_alternative<Service>(*service.record)) {
    return Status(Code::kInternal, "it holds no service");
  }
  const std::string name = std::get<Service>(*service.record).name;
  std::vector<Update> updates;
  updates.push_back({.key = KeyOf(*service.record),
                     .record = std::move(service.record),
                     .revision = service.revision});
  WireReader in(bytes);
  while (in.Next()) {
    if (in.field() != 3) continue;
    BERTH_TRY(StoredRecord kept, DecodeStoredRecord(in.Text()));
    Instance* instance = kept.record ? std::get_if<Instance>(&*kept.record) : nullptr;
    if (instance == nullptr) return Status(Code::kInternal, "it holds another record");
    instance->id.service = name;
    const RecordKey key = KeyOf(*kept.record);
    updates.push_back({.key = key, .record = std::move(kept.record), .revision = kept.revision});
  }
  BERTH_RETURN_IF_ERROR(in.status());
  return updates;
}

}  // namespace berth
