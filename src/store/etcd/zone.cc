#include "store/etcd/zone.h"

#include <fmt/format.h>

#include <utility>

#include "etcd.pb.h"
#include "store/etcd/client.h"
#include "store/etcd/scan.h"
#include "store/installable.h"
#include "store/keys.h"

namespace berth {
namespace {

// A load that etcd's compaction overtakes begins anew; one that is overtaken always is too slow.
constexpr int kLoadsMax = 5;

Status Damaged(std::string_view key, std::string_view what) {
  return {Code::kInternal,
          fmt::format("etcd's key {} is damaged: {}; restore etcd from a backup", key, what)};
}

void AddRange(etcdserverpb::RequestOp& operation, const std::string& from, const std::string& to) {
  etcdserverpb::RangeRequest& range = *operation.mutable_request_range();
  range.set_key(from);
  range.set_range_end(to);
}

void AddPut(etcdserverpb::TxnRequest& request, const std::string& key, std::string value) {
  etcdserverpb::PutRequest& put = *request.add_success()->mutable_request_put();
  put.set_key(key);
  put.set_value(std::move(value));
}

void CompareAbsent(etcdserverpb::TxnRequest& request, const std::string& key) {
  etcdserverpb::Compare& compare = *request.add_compare();
  compare.set_target(etcdserverpb::Compare::CREATE);
  compare.set_key(key);
  compare.set_create_revision(0);
}

Status MakeZone(EtcdClient& client, const EtcdKeys& keys) {
  etcdserverpb::TxnRequest request;
  CompareAbsent(request, keys.Format());
  AddPut(request, keys.Format(), EncodeFormat(kEtcdFormatVersion));
  AddPut(request, keys.Head(), Encode(EtcdHead()));
  etcdserverpb::TxnResponse response;
  return client.Txn(request, response).status;  // Or another process made it just now.
}

class Loader {
 public:
  Loader(EtcdClient& client, const EtcdKeys& keys, std::int64_t range_keys_max)
      : client_(client), keys_(keys), range_keys_max_(range_keys_max) {}

  Result<StoredZone> Load();

 private:
  EtcdScan Scan() const { return {client_, zone_.read_at, range_keys_max_}; }
  Status ReadHead();
  Status ReadRecords(RecordKind kind);
  Status ReadAgents();
  Status ReadTouched();
  Status Install(const std::string& key, const Update& update);

  EtcdClient& client_;
  const EtcdKeys& keys_;
  const std::int64_t range_keys_max_;
  StoredZone zone_;
};

Status Loader::ReadHead() {
  etcdserverpb::RangeRequest request;
  request.set_key(keys_.Head());
  etcdserverpb::RangeResponse response;
  BERTH_RETURN_IF_ERROR(client_.Range(request, response));
  if (response.kvs().empty()) return Damaged(keys_.Head(), "it is not there");
  const Result<EtcdHead> head = DecodeEtcdHead(response.kvs(0).value());
  if (!head.ok()) return Damaged(keys_.Head(), head.status().message());
  zone_.head = head.value();
  zone_.head_at = response.kvs(0).mod_revision();
  zone_.read_at = response.header().revision();
  zone_.inventory.SetRevision(zone_.head.stored.revision);
  return {};
}

Status Loader::Install(const std::string& key, const Update& update) {
  if (update.revision > zone_.head.stored.revision) {
    return Damaged(key, "its revision is newer than the head's");
  }
  const Status installable = CheckInstallable(zone_.inventory, update);
  if (!installable.ok()) return Damaged(key, installable.message());
  zone_.inventory.Install(update);
  return {};
}

Status Loader::ReadRecords(RecordKind kind) {
  return Scan().Under(keys_.Records(kind), [&](const std::string& key, const std::string& value) {
    if (kind == RecordKind::kService) {
      const Result<std::vector<Update>> updates = DecodeService(value);
      if (!updates.ok()) return Damaged(key, updates.status().message());
      for (const Update& update : updates.value()) {
        BERTH_RETURN_IF_ERROR(Install(key, update));
      }
      return Status();
    }
    Result<StoredRecord> stored = DecodeStoredRecord(value);
    if (!stored.ok()) return Damaged(key, stored.status().message());
    Update update = {.key = KeyOf(kind, ""),
                     .record = std::move(stored.value().record),
                     .revision = stored.value().revision};
    if (update.record) update.key = KeyOf(*update.record);
    if (update.key.kind != kind || keys_.OfRecord(update.key) != key) {
      return Damaged(key, "it holds another record");
    }
    return Install(key, update);
  });
}

Status Loader::ReadAgents() {
  const std::string prefix = keys_.Agents();
  return Scan().Under(prefix, [&](const std::string& key, const std::string& value) {
    const Result<std::uint64_t> sequence = DecodeNumber(value);
    if (!sequence.ok()) return Damaged(key, sequence.status().message());
    RecordKey decision = KeyOf(RecordKind::kDecision, std::string_view(key).substr(prefix.size()));
    decision.number = sequence.value();
    zone_.inventory.Install({.key = std::move(decision), .record = std::nullopt, .revision = {}});
    return Status();
  });
}

Status Loader::ReadTouched() {
  const std::string prefix = keys_.Touched();
  BERTH_RETURN_IF_ERROR(Scan().Under(prefix, [&](const std::string& key, const std::string& value) {
    const Result<std::uint64_t> revision = DecodeNumber(value);
    if (!revision.ok()) return Damaged(key, revision.status().message());
    zone_.inventory.TouchMachine(MachineId(std::string_view(key).substr(prefix.size())),
                                 Revision{revision.value()});
    return Status();
  }));
  return Scan().Between(
      keys_.OfLog(Next(zone_.head.touched)), keys_.PastLog(),
      [&](const std::string& key, const std::string& value) {
        const Result<LogEntry> entry = DecodeLogEntry(value);
        if (!entry.ok()) return Damaged(key, entry.status().message());
        for (const TouchedMachine& touched : entry.value().touched) {
          zone_.inventory.TouchMachine(touched.machine, touched.revision);
          zone_.pending.push_back({entry.value().committed->revision, touched.machine});
        }
        return Status();
      });
}

Result<StoredZone> Loader::Load() {
  zone_ = StoredZone();
  BERTH_RETURN_IF_ERROR(ReadHead());
  // In an order in which they can be installed.
  for (const RecordKind kind :
       {RecordKind::kPolicy, RecordKind::kType, RecordKind::kTenant, RecordKind::kMachine,
        RecordKind::kService, RecordKind::kLease, RecordKind::kIdempotency}) {
    BERTH_RETURN_IF_ERROR(ReadRecords(kind));
  }
  BERTH_RETURN_IF_ERROR(ReadAgents());
  BERTH_RETURN_IF_ERROR(ReadTouched());
  etcdserverpb::RangeRequest oldest;
  oldest.set_key(keys_.OfLog(Revision{}));
  oldest.set_range_end(keys_.PastLog());
  oldest.set_limit(1);
  oldest.set_keys_only(true);
  oldest.set_revision(zone_.read_at);
  etcdserverpb::RangeResponse response;
  BERTH_RETURN_IF_ERROR(client_.Range(oldest, response));
  zone_.oldest_log = Next(zone_.head.stored.revision);
  if (!response.kvs().empty()) {
    zone_.oldest_log = keys_.LogRevision(response.kvs(0).key()).value_or(zone_.oldest_log);
  }
  return std::move(zone_);
}

}  // namespace

Status CheckEtcdFormat(const std::string& key, const std::string& value) {
  const Result<std::uint64_t> version = DecodeFormat(value);
  if (!version.ok()) return Damaged(key, version.status().message());
  if (version.value() <= kEtcdFormatVersion) return {};
  return {Code::kFailedPrecondition,
          fmt::format("{} was written by a newer berth (format {}, this one reads up to {}); use "
                      "that one",
                      key, version.value(), kEtcdFormatVersion)};
}

Status NoZone(const EtcdClient& client, const EtcdKeys& keys) {
  return {Code::kNotFound, fmt::format("etcd at {} holds no zone under {}; name the prefix of one",
                                       client.endpoints(), keys.Root())};
}

Result<std::uint64_t> OpenZone(EtcdClient& client, const EtcdKeys& keys, bool must_exist) {
  etcdserverpb::TxnRequest look;
  CompareAbsent(look, keys.Format());
  AddRange(*look.add_success(), keys.Root(), keys::PastPrefix(keys.Root()));
  look.mutable_success(0)->mutable_request_range()->set_limit(1);
  AddRange(*look.add_failure(), keys.Format(), "");
  etcdserverpb::TxnResponse found;
  BERTH_RETURN_IF_ERROR(client.Txn(look, found).status);
  const auto& kvs = found.responses(0).response_range().kvs();
  if (found.succeeded() && must_exist) return NoZone(client, keys);
  if (found.succeeded() && !kvs.empty()) {
    return Status(
        Code::kFailedPrecondition,
        fmt::format("etcd at {} holds keys under {} that are not a zone's, or of a restore "
                    "that did not finish; choose another prefix: etcd:{}/PREFIX",
                    client.endpoints(), keys.Root(), client.endpoints()));
  }
  BERTH_RETURN_IF_ERROR(found.succeeded() ? MakeZone(client, keys)
                                          : CheckEtcdFormat(keys.Format(), kvs[0].value()));
  etcdserverpb::TxnRequest open;
  AddPut(open, keys.Opened(), "");
  etcdserverpb::TxnResponse opened;
  BERTH_RETURN_IF_ERROR(client.Txn(open, opened).status);
  return static_cast<std::uint64_t>(opened.header().revision());
}

Result<StoredZone> LoadZone(EtcdClient& client, const EtcdKeys& keys, std::int64_t range_keys_max) {
  for (int loads = 1;; ++loads) {
    Result<StoredZone> zone = Loader(client, keys, range_keys_max).Load();
    if (zone.ok() || zone.status().code() != Code::kOutOfRange || loads == kLoadsMax) return zone;
  }
}

}  // namespace berth
