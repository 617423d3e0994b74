#include "store/etcd/scan.h"

#include <algorithm>

#include "etcd.pb.h"
#include "store/etcd/client.h"
#include "store/keys.h"

namespace berth {
namespace {

constexpr std::int64_t kFirstPieceKeys = 256;
constexpr std::int64_t kPieceKeysMin = 16;
constexpr std::size_t kScanPieceBytes = std::size_t{4} << 20;

}  // namespace

Status EtcdScan::Between(std::string from, const std::string& to, const Visit& visit) const {
  std::int64_t limit = std::min(kFirstPieceKeys, keys_max_);
  etcdserverpb::RangeRequest request;
  request.set_range_end(to);
  request.set_revision(at_);
  etcdserverpb::RangeResponse response;
  do {
    request.set_key(from);
    request.set_limit(limit);
    BERTH_RETURN_IF_ERROR(client_.Range(request, response));
    std::size_t bytes = 1;
    for (const etcdserverpb::KeyValue& kv : response.kvs()) {
      BERTH_RETURN_IF_ERROR(visit(kv.key(), kv.value()));
      bytes += kv.key().size() + kv.value().size();
    }
    if (response.kvs().empty()) return {};
    from = response.kvs().rbegin()->key() + '\0';
    // Services differ in size a thousandfold: as many as make a piece of some megabytes.
    const std::size_t each = bytes / static_cast<std::size_t>(response.kvs_size()) + 1;
    limit = std::clamp(static_cast<std::int64_t>(kScanPieceBytes / each), kPieceKeysMin,
                       std::max(kPieceKeysMin, keys_max_));
  } while (response.more());
  return {};
}

Status EtcdScan::Under(const std::string& prefix, const Visit& visit) const {
  return Between(prefix, keys::PastPrefix(prefix), visit);
}

}  // namespace berth
