#include "store/etcd/mirror.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "berth/check.h"
#include "etcd.pb.h"
#include "store/etcd/client.h"
#include "store/installable.h"

namespace berth {
namespace {

// Log entries in one answer: more are asked for in the next.
constexpr std::int64_t kNewsMax = 512;

// Written by a berth that knows more than this one, or not by berth.
Status CannotLearn(std::string_view key, std::string_view why) {
  return {Code::kFailedPrecondition,
          fmt::format("cannot follow etcd's key {}: {}; use the newest berth in every process", key,
                      why)};
}

}  // namespace

Mirror::Mirror(EtcdClient& client, const EtcdKeys& keys, std::int64_t range_keys_max,
               StoredZone zone, Feed::Taken taken)
    : client_(client),
      keys_(keys),
      range_keys_max_(range_keys_max),
      sequencer_(std::move(zone.inventory), /*undoable=*/true, zone.head.stored.at),
      log_(client, keys),
      feed_(
          zone.head.stored.revision,
          [this](Revision revision) -> Result<std::shared_ptr<const Committed>> {
            if (revision < head_.stored.log_start) {
              return Status(Code::kOutOfRange, "the log no longer holds it");
            }
            return log_.Read(revision);
          },
          std::move(taken)),
      head_(zone.head),
      head_at_(zone.head_at),
      pending_(std::move(zone.pending)),
      oldest_log_(zone.oldest_log),
      known_(ToNumber(head_.stored.revision)) {}

void Mirror::Take(const Arrivals::Taken& arrivals) {
  // A failure here is met again, and answered, by whoever next needs etcd.
  bool behind = arrivals.gap && !CatchUp().ok();
  for (const Written& written : arrivals.written) {
    if (behind) return;
    const std::optional<Revision> revision = keys_.LogRevision(written.key);
    if (!revision) {
      const Result<EtcdHead> head = DecodeEtcdHead(written.value);
      if (head.ok()) LearnHead(head.value(), written.at);
    } else if (*revision == Next(inventory().revision())) {
      const Result<LogEntry> entry = DecodeLogEntry(written.value);
      behind = !entry.ok() || !LearnEntry(entry.value()).ok();
    } else if (*revision > inventory().revision()) {
      behind = !CatchUp().ok();
    }
  }
}

Status Mirror::LearnEntry(const LogEntry& entry) {
  for (const Update& update : entry.committed->updates) {
    if (update.key.kind != RecordKind::kPolicy) continue;
    const Status installable = CheckInstallable(inventory(), update);
    if (!installable.ok()) {
      return CannotLearn(keys_.OfLog(entry.committed->revision), installable.message());
    }
  }
  sequencer_.Learn(*entry.committed);
  for (const TouchedMachine& touched : entry.touched) {
    pending_.push_back({entry.committed->revision, touched.machine});
  }
  log_.Add(entry.committed);
  known_.store(ToNumber(entry.committed->revision));
  feed_.Publish(entry.committed);
  return {};
}

// Only a head that belongs to the state here: what is compared must be what was judged on.
void Mirror::LearnHead(const EtcdHead& head, std::int64_t at) {
  if (head.stored.revision != inventory().revision() || at <= head_at_) return;
  head_ = head;
  head_at_ = at;
  while (!pending_.empty() && pending_.front().entry <= head_.touched) pending_.pop_front();
}

void Mirror::AskNews(etcdserverpb::RequestOp& head, etcdserverpb::RequestOp& log,
                     Revision since) const {
  head.mutable_request_range()->set_key(keys_.Head());
  etcdserverpb::RangeRequest& range = *log.mutable_request_range();
  range.set_key(keys_.OfLog(Next(since)));
  range.set_range_end(keys_.PastLog());
  range.set_limit(kNewsMax);
}

void Mirror::Compare(etcdserverpb::TxnRequest& request, Revision base) const {
  etcdserverpb::Compare& compare = *request.add_compare();
  compare.set_target(etcdserverpb::Compare::MOD);
  compare.set_key(keys_.Head());
  compare.set_mod_revision(head_at_);
  etcdserverpb::RequestOp& head = *request.add_failure();
  AskNews(head, *request.add_failure(), base);
}

Status Mirror::Learn(const etcdserverpb::TxnResponse& response) {
  const auto& heads = response.responses(0).response_range().kvs();
  const auto& entries = response.responses(1).response_range().kvs();
  if (heads.empty()) {
    return {Code::kFailedPrecondition,
            fmt::format("etcd at {} no longer has the key {}; was the zone removed?",
                        client_.endpoints(), keys_.Head())};
  }
  const Result<EtcdHead> head = DecodeEtcdHead(heads[0].value());
  if (!head.ok()) return CannotLearn(keys_.Head(), head.status().message());
  const Revision here = inventory().revision();
  const Revision there = head.value().stored.revision;
  const bool reaches =
      there == here || (!entries.empty() && keys_.LogRevision(entries[0].key()) == Next(here));
  // Behind the log's start; or etcd was set back to a backup and is behind us.
  if (there < here || !reaches) return Reload();
  for (const etcdserverpb::KeyValue& kv : entries) {
    const Result<LogEntry> entry = DecodeLogEntry(kv.value());
    if (!entry.ok()) return CannotLearn(kv.key(), entry.status().message());
    BERTH_RETURN_IF_ERROR(LearnEntry(entry.value()));
  }
  LearnHead(head.value(), heads[0].mod_revision());
  return {};
}

std::optional<std::int64_t> Mirror::DoneAt(const Origin& origin,
                                           const etcdserverpb::TxnResponse& response) const {
  const auto& entries = response.responses(1).response_range().kvs();
  if (entries.empty()) return std::nullopt;
  const Result<LogEntry> first = DecodeLogEntry(entries[0].value());
  if (!first.ok() || first.value().origin != origin) return std::nullopt;
  return entries[0].mod_revision();
}

Status Mirror::CatchUp() {
  while (true) {
    etcdserverpb::TxnRequest request;
    etcdserverpb::RequestOp& head = *request.add_success();
    AskNews(head, *request.add_success(), inventory().revision());
    etcdserverpb::TxnResponse response;
    BERTH_RETURN_IF_ERROR(client_.Txn(request, response).status);
    BERTH_RETURN_IF_ERROR(Learn(response));
    if (!response.responses(1).response_range().more()) return {};
  }
}

Status Mirror::Settle() {
  while (doubted_) {
    BERTH_RETURN_IF_ERROR(CatchUp());
    if (doubted_->may_come && head_at_ == doubted_->head_at) {
      // It was not done. Writing the head anew makes sure that it never will be.
      etcdserverpb::TxnRequest request;
      Compare(request, inventory().revision());
      etcdserverpb::PutRequest& put = *request.add_success()->mutable_request_put();
      put.set_key(keys_.Head());
      put.set_value(Encode(head_));
      etcdserverpb::TxnResponse response;
      BERTH_RETURN_IF_ERROR(client_.Txn(request, response).status);
      if (!response.succeeded()) continue;
      head_at_ = response.header().revision();
    }
    doubted_.reset();
  }
  return {};
}

void Mirror::Done(const Own& own) {
  BERTH_CHECK(own.head.stored.revision == inventory().revision());
  head_ = own.head;
  head_at_ = own.at;
  known_.store(ToNumber(head_.stored.revision));
  pending_.erase(pending_.begin(),
                 pending_.begin() + static_cast<std::ptrdiff_t>(own.touches_written));
  for (const MachineId machine : own.touched) {
    pending_.push_back({head_.stored.revision, machine});
  }
  for (const auto& committed : own.commits) log_.Add(committed);
}

Status Mirror::Reload() {
  BERTH_TRY(StoredZone zone, LoadZone(client_, keys_, range_keys_max_));
  sequencer_ = Sequencer(std::move(zone.inventory), /*undoable=*/true, zone.head.stored.at);
  log_.Forget();
  head_ = zone.head;
  head_at_ = zone.head_at;
  pending_ = std::move(zone.pending);
  oldest_log_ = zone.oldest_log;
  reloads_.fetch_add(1);
  known_.store(ToNumber(head_.stored.revision));
  feed_.Restart(head_.stored.revision);
  return {};
}

}  // namespace berth
