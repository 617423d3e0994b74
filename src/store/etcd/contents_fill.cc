// The zone is there from the last transaction on, which writes its format and its head; until then
// nobody opens it, and a failure takes back what was written.
#include "store/etcd/contents_fill.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "etcd.pb.h"
#include "store/etcd/client.h"
#include "store/etcd/layout.h"
#include "store/etcd/zone.h"
#include "store/keys.h"

namespace berth {
namespace {

class Filling {
 public:
  Filling(EtcdClient& client, const EtcdKeys& keys, const EtcdBatchLimits& limits)
      : client_(client), keys_(keys), limits_(limits) {}

  Status CheckIsFree();
  Status All(const StoreContents::Next& next);
  void TakeBack();

 private:
  Status Put(const std::string& key, std::string value);
  Status Send();
  Status Add(const StoredEntry& entry);
  Status AddRecord(const Update& update);
  Status AddCommitted(const Committed& committed);
  // When the last instance has come.
  Status PutServices();

  EtcdClient& client_;
  const EtcdKeys& keys_;
  const EtcdBatchLimits limits_;
  etcdserverpb::TxnRequest request_;
  std::size_t bytes_ = 0;
  Revision log_end_{};
  std::map<std::string, ServiceState> services_;
};

Status Filling::CheckIsFree() {
  etcdserverpb::RangeRequest request;
  request.set_key(keys_.Root());
  request.set_range_end(keys::PastPrefix(keys_.Root()));
  request.set_limit(1);
  etcdserverpb::RangeResponse response;
  BERTH_RETURN_IF_ERROR(client_.Range(request, response));
  if (response.kvs().empty()) return {};
  return {Code::kAlreadyExists, fmt::format("etcd at {} holds keys under {}; name a new prefix",
                                            client_.endpoints(), keys_.Root())};
}

Status Filling::Send() {
  if (request_.success().empty()) return {};
  etcdserverpb::TxnResponse response;
  BERTH_RETURN_IF_ERROR(client_.Txn(request_, response).status);
  request_.Clear();
  bytes_ = 0;
  return {};
}

Status Filling::Put(const std::string& key, std::string value) {
  const std::size_t bytes = key.size() + value.size();
  const auto operations = static_cast<std::size_t>(request_.success_size());
  if (operations == limits_.operations || bytes_ + bytes > limits_.bytes) {
    BERTH_RETURN_IF_ERROR(Send());
  }
  bytes_ += bytes;
  etcdserverpb::PutRequest& put = *request_.add_success()->mutable_request_put();
  put.set_key(key);
  put.set_value(std::move(value));
  return {};
}

Status Filling::AddRecord(const Update& update) {
  if (update.key.kind == RecordKind::kService && update.record) {
    ServiceState& service = services_[update.key.name];
    service.record = std::get<Service>(*update.record);
    service.own_revision = update.revision;
    return {};
  }
  if (update.key.kind == RecordKind::kInstance && update.record) {
    const auto service = services_.find(update.key.name);
    if (service == services_.end()) {
      return {Code::kInvalidArgument,
              fmt::format("instance {} comes without its service", ToString(update.key))};
    }
    service->second.instances.push_back({std::get<Instance>(*update.record), update.revision});
    return {};
  }
  return Put(keys_.OfRecord(update.key),
             Encode(StoredRecord{.revision = update.revision, .record = update.record}));
}

Status Filling::PutServices() {
  for (const auto& [name, service] : std::exchange(services_, {})) {
    BERTH_RETURN_IF_ERROR(Put(keys_.OfRecord(KeyOf(RecordKind::kService, name)), Encode(service)));
  }
  return {};
}

Status Filling::AddCommitted(const Committed& committed) {
  if (committed.revision != log_end_) return LogLacks(log_end_);
  log_end_ = Next(log_end_);
  for (const Update& update : committed.updates) {
    if (update.key.kind != RecordKind::kDecision) continue;
    BERTH_RETURN_IF_ERROR(Put(keys_.OfDecision({update.key.name, update.key.number}),
                              EncodeNumber(ToNumber(committed.revision))));
  }
  return Put(keys_.OfLog(committed.revision), Encode(committed, Origin(), {}));
}

Status Filling::Add(const StoredEntry& entry) {
  if (const auto* update = std::get_if<Update>(&entry)) return AddRecord(*update);
  BERTH_RETURN_IF_ERROR(PutServices());
  if (const auto* committed = std::get_if<std::shared_ptr<const Committed>>(&entry)) {
    return AddCommitted(**committed);
  }
  if (const auto* touched = std::get_if<TouchedMachine>(&entry)) {
    return Put(keys_.OfTouched(touched->machine), EncodeNumber(ToNumber(touched->revision)));
  }
  if (const auto* agent = std::get_if<AgentSequence>(&entry)) {
    return Put(keys_.OfAgent(agent->agent), EncodeNumber(agent->last));
  }
  return {Code::kInvalidArgument, "it holds an entry that does not belong there"};
}

Status Filling::All(const StoreContents::Next& next) {
  BERTH_TRY(std::optional<StoredEntry> entry, next());
  const auto* first = entry ? std::get_if<StoredHead>(&*entry) : nullptr;
  if (first == nullptr) return {Code::kInvalidArgument, "it does not begin with where it stands"};
  const EtcdHead head = {.stored = *first, .touched = first->revision};
  log_end_ = head.stored.log_start;
  while (true) {
    BERTH_TRY(entry, next());
    if (!entry) break;
    BERTH_RETURN_IF_ERROR(Add(*entry));
  }
  if (log_end_ != Next(head.stored.revision)) return LogLacks(log_end_);
  BERTH_RETURN_IF_ERROR(PutServices());
  BERTH_RETURN_IF_ERROR(Send());
  BERTH_RETURN_IF_ERROR(Put(keys_.Head(), Encode(head)));
  BERTH_RETURN_IF_ERROR(Put(keys_.Format(), EncodeFormat(kEtcdFormatVersion)));
  return Send();
}

void Filling::TakeBack() {
  etcdserverpb::TxnRequest request;
  etcdserverpb::DeleteRangeRequest& erase = *request.add_success()->mutable_request_delete_range();
  erase.set_key(keys_.Root());
  erase.set_range_end(keys::PastPrefix(keys_.Root()));
  etcdserverpb::TxnResponse response;
  // The failure itself is what is answered; keys left behind make no zone.
  static_cast<void>(client_.Txn(request, response));
}

}  // namespace

Status FillZone(EtcdClient& client, const EtcdKeys& keys, const EtcdBatchLimits& limits,
                const StoreContents::Next& next) {
  Filling filling(client, keys, limits);
  BERTH_RETURN_IF_ERROR(filling.CheckIsFree());
  Status filled = filling.All(next);
  // What could not be opened again is of no use.
  if (filled.ok()) filled = LoadZone(client, keys, /*range_keys_max=*/2000).status();
  if (!filled.ok()) filling.TakeBack();
  return filled;
}

}  // namespace berth
