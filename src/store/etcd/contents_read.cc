#include "store/etcd/contents_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "etcd.pb.h"
#include "store/database.h"
#include "store/etcd/client.h"
#include "store/etcd/layout.h"
#include "store/etcd/scan.h"
#include "store/etcd/zone.h"
#include "store/keys.h"

namespace berth {
namespace {

class Reading {
 public:
  Reading(EtcdClient& client, const EtcdKeys& keys, std::int64_t range_keys_max,
          const StoreContents::Take& take)
      : client_(client), keys_(keys), range_keys_max_(range_keys_max), take_(take) {}

  Status All() {
    BERTH_RETURN_IF_ERROR(Head());
    for (const RecordKind kind : kInstallOrder) {
      const bool kept_together = kind == RecordKind::kService || kind == RecordKind::kInstance;
      BERTH_RETURN_IF_ERROR(kept_together ? Services(kind) : Records(kind));
    }
    BERTH_RETURN_IF_ERROR(Touched());
    BERTH_RETURN_IF_ERROR(Agents());
    BERTH_RETURN_IF_ERROR(Log());
    return DecisionIndex();
  }

 private:
  EtcdScan Scan() const { return {client_, at_, range_keys_max_}; }
  Status Damaged(std::string_view key, std::string why) const {
    return take_(
        DamagedEntry{.where = fmt::format("key {}", keys::Readable(key)), .why = std::move(why)});
  }
  // Of what has the key `rest` below `prefix` and a number as its value.
  template <typename Visit>
  Status Numbers(const std::string& prefix, Visit visit) const {
    return Scan().Under(prefix, [&](const std::string& key, const std::string& value) {
      const Result<std::uint64_t> number = DecodeNumber(value);
      if (!number.ok()) return Damaged(key, number.status().message());
      return visit(std::string_view(key).substr(prefix.size()), number.value());
    });
  }

  Status Head();
  Status Records(RecordKind kind);
  // The services of all values, or the instances.
  Status Services(RecordKind kind);
  Status Touched();
  Status Agents();
  Status Log();
  Status DecisionIndex();

  EtcdClient& client_;
  const EtcdKeys& keys_;
  const std::int64_t range_keys_max_;
  const StoreContents::Take& take_;
  std::int64_t at_ = 0;
  EtcdHead head_;
  std::map<std::string, Revision, std::less<>> machines_;  // Their own revision.
  std::map<std::string, Revision, std::less<>> touched_;   // That of what is or was on them.
  std::map<std::string, Revision> decisions_;              // Index keys that should be there.
};

Status Reading::Head() {
  etcdserverpb::TxnRequest request;
  request.add_success()->mutable_request_range()->set_key(keys_.Format());
  request.add_success()->mutable_request_range()->set_key(keys_.Head());
  etcdserverpb::TxnResponse response;
  BERTH_RETURN_IF_ERROR(client_.Txn(request, response).status);
  const auto& formats = response.responses(0).response_range().kvs();
  const auto& heads = response.responses(1).response_range().kvs();
  if (formats.empty() || heads.empty()) return NoZone(client_, keys_);
  BERTH_RETURN_IF_ERROR(CheckEtcdFormat(keys_.Format(), formats[0].value()));
  BERTH_TRY(head_, DecodeEtcdHead(heads[0].value()));
  at_ = response.header().revision();
  return take_(head_.stored);
}

Status Reading::Records(RecordKind kind) {
  return Scan().Under(keys_.Records(kind), [&](const std::string& key, const std::string& value) {
    Result<StoredRecord> stored = DecodeStoredRecord(value);
    if (!stored.ok()) return Damaged(key, stored.status().message());
    Update update = {.key = KeyOf(kind, ""),
                     .record = std::move(stored.value().record),
                     .revision = stored.value().revision};
    if (update.record) update.key = KeyOf(*update.record);
    if (update.key.kind != kind || keys_.OfRecord(update.key) != key) {
      return Damaged(key, "it holds another record");
    }
    if (kind == RecordKind::kMachine) machines_[update.key.name] = update.revision;
    return take_(std::move(update));
  });
}

Status Reading::Services(RecordKind kind) {
  const std::string prefix = keys_.Records(RecordKind::kService);
  return Scan().Under(prefix, [&](const std::string& key, const std::string& value) {
    Result<std::vector<Update>> updates = DecodeService(value);
    const bool whole = updates.ok() && keys_.OfRecord(updates.value()[0].key) == key;
    if (!whole && kind == RecordKind::kInstance) return Status();  // Said with the services.
    if (!whole) {
      return Damaged(key, updates.ok() ? "it holds another record" : updates.status().message());
    }
    for (Update& update : updates.value()) {
      if (update.key.kind != kind) continue;
      if (kind == RecordKind::kInstance) {
        const Instance& instance = std::get<Instance>(*update.record);
        Revision& last = touched_[instance.machine.str()];
        if (instance.HoldsRoom()) last = std::max(last, update.revision);
      }
      BERTH_RETURN_IF_ERROR(take_(std::move(update)));
    }
    return Status();
  });
}

Status Reading::Touched() {
  const auto note = [&](std::string_view machine, Revision revision) {
    Revision& last = touched_[std::string(machine)];
    last = std::max(last, revision);
  };
  BERTH_RETURN_IF_ERROR(
      Numbers(keys_.Touched(), [&](std::string_view machine, std::uint64_t revision) {
        note(machine, Revision{revision});
        return Status();
      }));
  const std::string from = keys_.OfLog(berth::Next(head_.touched));
  BERTH_RETURN_IF_ERROR(
      Scan().Between(from, keys_.PastLog(), [&](const std::string&, const std::string& value) {
        const Result<LogEntry> entry = DecodeLogEntry(value);
        if (!entry.ok()) return Status();  // Said with the log.
        for (const TouchedMachine& touched : entry.value().touched) {
          note(touched.machine.str(), touched.revision);
        }
        return Status();
      }));
  for (const auto& [machine, revision] : touched_) {
    const auto own = machines_.find(machine);
    if (own == machines_.end() || revision <= own->second) continue;
    BERTH_RETURN_IF_ERROR(
        take_(TouchedMachine{.machine = MachineId(machine), .revision = revision}));
  }
  return {};
}

Status Reading::Agents() {
  return Numbers(keys_.Agents(), [&](std::string_view agent, std::uint64_t last) {
    return take_(AgentSequence{.agent = std::string(agent), .last = last});
  });
}

Status Reading::Log() {
  const std::string from = keys_.OfLog(head_.stored.log_start);
  return Scan().Between(
      from, keys_.PastLog(), [&](const std::string& key, const std::string& value) {
        Result<LogEntry> entry = DecodeLogEntry(value);
        if (!entry.ok()) return Damaged(key, entry.status().message());
        const std::shared_ptr<const Committed>& committed = entry.value().committed;
        if (keys_.LogRevision(key) != committed->revision) {
          return Damaged(key, "it holds another revision");
        }
        for (const Update& update : committed->updates) {
          if (update.key.kind != RecordKind::kDecision) continue;
          decisions_[keys_.OfDecision({update.key.name, update.key.number})] = committed->revision;
        }
        return take_(committed);
      });
}

Status Reading::DecisionIndex() {
  const std::string prefix = keys_.Decisions();
  BERTH_RETURN_IF_ERROR(Numbers(prefix, [&](std::string_view rest, std::uint64_t revision) {
    const std::string key = prefix + std::string(rest);
    const auto expected = decisions_.find(key);
    if (expected != decisions_.end() && expected->second == Revision{revision}) {
      decisions_.erase(expected);
      return Status();
    }
    // No longer in the log, not yet erased.
    if (Revision{revision} < head_.stored.log_start) return Status();
    return Damaged(key, "it leads to no decision of the log");
  }));
  for (const auto& [key, revision] : decisions_) {
    BERTH_RETURN_IF_ERROR(Damaged(
        key, fmt::format("it does not lead to revision {} of the log, which holds the decision",
                         ToNumber(revision))));
  }
  return {};
}

}  // namespace

Status ReadZone(EtcdClient& client, const EtcdKeys& keys, std::int64_t range_keys_max,
                const StoreContents::Take& take) {
  return Reading(client, keys, range_keys_max, take).All();
}

}  // namespace berth
