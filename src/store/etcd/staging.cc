#include "store/etcd/staging.h"

#include <algorithm>

#include "berth/check.h"
#include "etcd.pb.h"

namespace berth {
namespace {

bool ShowsItself(const Inventory& inventory, const MachineState& machine) {
  if (machine.own_revision == machine.revision) return true;
  return std::ranges::any_of(machine.instances, [&](InstanceRef ref) {
    const KeptInstance* instance = inventory[ref.service].Find(ref.number);
    return instance != nullptr && instance->revision == machine.revision;
  });
}

std::size_t BytesOf(const std::string& key, const std::optional<std::string>& value) {
  return key.size() + (value ? value->size() : 0);
}

}  // namespace

std::vector<const MachineState*> TouchedSince(const Inventory& inventory,
                                              std::uint64_t journal_position, Revision first) {
  std::vector<const MachineState*> touched;
  inventory.journal().ForEachSince(journal_position, [&](MachineIndex index) {
    const MachineState& machine = inventory[index];
    // A policy touches every machine without changing its revision.
    if (machine.vacant() || machine.revision < first || ShowsItself(inventory, machine)) return;
    touched.push_back(&machine);
  });
  return touched;
}

void Staging::StageUpdate(const Update& update, const Inventory& after, Writes& writes) const {
  const RecordKey& key = update.key;
  if (key.kind == RecordKind::kDecision) {
    writes[keys_.OfDecision({key.name, key.number})] = EncodeNumber(ToNumber(update.revision));
    writes[keys_.OfAgent(key.name)] = EncodeNumber(key.number);
  } else if (key.kind == RecordKind::kService || key.kind == RecordKind::kInstance) {
    const auto [at, first] =
        writes.try_emplace(keys_.OfRecord(KeyOf(RecordKind::kService, key.name)));
    const ServiceState* service = first ? after.FindService(key.name) : nullptr;
    if (service != nullptr) at->second = Encode(*service);
  } else if (update.record || key.kind == RecordKind::kPolicy) {
    // A removed policy leaves its revision behind: a change made before must still conflict.
    writes[keys_.OfRecord(key)] =
        Encode(StoredRecord{.revision = update.revision, .record = update.record});
  } else {
    writes[keys_.OfRecord(key)] = std::nullopt;
  }
}

bool Staging::Add(const std::shared_ptr<const Committed>& committed, const Inventory& after) {
  Writes writes;
  // The log entry holds every record once more; close enough to what the keys hold.
  std::size_t bytes = 64;
  for (const Update& update : committed->updates) StageUpdate(update, after, writes);
  std::size_t new_keys = 1;
  for (const auto& [key, value] : writes) {
    bytes += 2 * BytesOf(key, value);
    if (!writes_.contains(key)) ++new_keys;
  }
  const bool fits =
      operations() + new_keys <= limits_.operations && bytes_ + bytes <= limits_.bytes;
  if (!fits && !commits_.empty()) return false;
  commits_.push_back(committed);
  bytes_ += bytes;
  for (auto& [key, value] : writes) writes_.insert_or_assign(key, std::move(value));
  return true;
}

void Staging::Put(std::string key, std::string value) {
  writes_.insert_or_assign(std::move(key), std::move(value));
}

void Staging::Erase(std::string key) { writes_.insert_or_assign(std::move(key), std::nullopt); }

void Staging::EraseRange(std::string from, std::string to) {
  erased_.emplace_back(std::move(from), std::move(to));
}

void Staging::MoveTo(etcdserverpb::TxnRequest& request, const EtcdHead& head, const Origin& origin,
                     const std::vector<const MachineState*>& touched) {
  const auto put = [&](std::string key, std::string value) {
    etcdserverpb::PutRequest& operation = *request.add_success()->mutable_request_put();
    operation.set_key(std::move(key));
    operation.set_value(std::move(value));
  };
  const auto erase = [&](std::string from, std::string to) {
    etcdserverpb::DeleteRangeRequest& operation =
        *request.add_success()->mutable_request_delete_range();
    operation.set_key(std::move(from));
    operation.set_range_end(std::move(to));
  };
  for (const auto& committed : commits_) {
    const bool last = committed == commits_.back();
    put(keys_.OfLog(committed->revision),
        Encode(*committed, origin, last ? touched : std::vector<const MachineState*>()));
  }
  // After the log entries, and so in the watch: whoever learns them stands where the head says.
  put(keys_.Head(), Encode(head));
  for (auto& [key, value] : writes_) {
    if (value) {
      put(key, std::move(*value));
    } else {
      erase(key, "");
    }
  }
  for (auto& [from, to] : erased_) erase(std::move(from), std::move(to));
  writes_.clear();
  erased_.clear();
}

}  // namespace berth
