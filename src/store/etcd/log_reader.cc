#include "store/etcd/log_reader.h"

#include <fmt/format.h>

#include <utility>

#include "berth/check.h"
#include "etcd.pb.h"
#include "store/etcd/client.h"

namespace berth {
namespace {

constexpr std::size_t kNewestMax = 8192;
constexpr std::size_t kNewestUpdatesMax = 200'000;
constexpr std::int64_t kFetchedAtOnce = 256;

}  // namespace

void EtcdLogReader::Add(std::shared_ptr<const Committed> committed) {
  BERTH_CHECK(newest_.empty() || committed->revision == Next(newest_.back()->revision));
  newest_updates_ += committed->updates.size();
  newest_.push_back(std::move(committed));
  while (newest_.size() > kNewestMax ||
         (newest_.size() > 1 && newest_updates_ > kNewestUpdatesMax)) {
    newest_updates_ -= newest_.front()->updates.size();
    newest_.pop_front();
  }
}

void EtcdLogReader::Forget() {
  newest_.clear();
  newest_updates_ = 0;
  fetched_.clear();
}

Result<std::shared_ptr<const Committed>> EtcdLogReader::Read(Revision revision) {
  if (!newest_.empty() && revision >= newest_.front()->revision &&
      revision <= newest_.back()->revision) {
    return newest_[ToNumber(revision) - ToNumber(newest_.front()->revision)];
  }
  const auto fetched = [&] {
    return !fetched_.empty() && revision >= fetched_.front().committed->revision &&
           revision <= fetched_.back().committed->revision;
  };
  if (!fetched()) {
    BERTH_TRY(fetched_, Fetch(revision));
  }
  if (!fetched()) {
    return Status(Code::kNotFound,
                  fmt::format("the log does not hold revision {}", ToNumber(revision)));
  }
  return fetched_[ToNumber(revision) - ToNumber(fetched_.front().committed->revision)].committed;
}

Result<std::vector<LogEntry>> EtcdLogReader::Fetch(Revision from) const {
  etcdserverpb::RangeRequest request;
  request.set_key(keys_.OfLog(from));
  request.set_range_end(keys_.PastLog());
  request.set_limit(kFetchedAtOnce);
  etcdserverpb::RangeResponse response;
  BERTH_RETURN_IF_ERROR(client_.Range(request, response));
  std::vector<LogEntry> entries;
  for (const etcdserverpb::KeyValue& kv : response.kvs()) {
    Result<LogEntry> entry = DecodeLogEntry(kv.value());
    const bool next =
        entry.ok() && (entries.empty() || entry.value().committed->revision ==
                                              Next(entries.back().committed->revision));
    if (!next) {
      return Status(
          Code::kInternal,
          fmt::format("etcd's key {} is damaged: {}; restore etcd from a backup", kv.key(),
                      entry.ok() ? "it is not the next revision" : entry.status().message()));
    }
    entries.push_back(std::move(entry).value());
  }
  return entries;
}

}  // namespace berth
