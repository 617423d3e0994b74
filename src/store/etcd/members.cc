#include "store/etcd/members.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>

#include "etcd.pb.h"
#include "store/etcd/client.h"
#include "store/etcd/layout.h"
#include "store/keys.h"

namespace berth {
namespace {

// The etcd revision that last wrote each key.
using HeldKeys = std::map<std::string, std::int64_t>;

EtcdOptions OnlyAsking(const EtcdOptions& options, const std::string& endpoint) {
  EtcdOptions one = options;
  one.address.endpoints = {endpoint};
  return one;
}

Result<std::int64_t> RevisionNow(const EtcdOptions& options, const EtcdKeys& keys) {
  EtcdClient client(options);
  etcdserverpb::RangeRequest request;
  request.set_key(keys.Head());
  etcdserverpb::RangeResponse response;
  BERTH_RETURN_IF_ERROR(client.Range(request, response));
  return response.header().revision();
}

Result<HeldKeys> KeysHeldBy(const EtcdOptions& options, const std::string& prefix,
                            std::int64_t at) {
  EtcdClient client(options);
  HeldKeys held;
  etcdserverpb::RangeRequest request;
  request.set_key(prefix);
  request.set_range_end(keys::PastPrefix(prefix));
  request.set_revision(at);
  request.set_keys_only(true);
  request.set_limit(options.range_keys_max);
  etcdserverpb::RangeResponse response;
  do {
    BERTH_RETURN_IF_ERROR(client.Range(request, response));
    for (const etcdserverpb::KeyValue& kv : response.kvs()) held[kv.key()] = kv.mod_revision();
    if (!held.empty()) request.set_key(held.rbegin()->first + '\0');
  } while (response.more());
  return held;
}

std::string Shown(const HeldKeys& held, const std::string& key) {
  const auto at = held.find(key);
  return at == held.end() ? "does not hold it" : fmt::format("holds it as of {}", at->second);
}

void Compare(const std::string& one, const HeldKeys& held, const std::string& other,
             const HeldKeys& held_there, Check& check) {
  HeldKeys all = held;
  all.insert(held_there.begin(), held_there.end());
  for (const auto& [key, revision] : all) {
    ++check.looked_at;
    const std::string here = Shown(held, key);
    const std::string there = Shown(held_there, key);
    if (here == there) continue;
    const std::string name = fmt::format("key {}", keys::Readable(key));
    check.Break(name, fmt::format("{}: etcd at {} {}, etcd at {} {}; remove the member that is "
                                  "wrong from its cluster and add it again, empty",
                                  name, one, here, other, there));
  }
}

bool IsBehind(const Status& status) {
  return status.message().find("is a future revision") != std::string::npos;
}

}  // namespace

Result<std::vector<Check>> CompareMembers(const EtcdOptions& options) {
  const std::vector<std::string>& endpoints = options.address.endpoints;
  if (endpoints.size() < 2) return std::vector<Check>();
  const EtcdKeys keys(options.address.prefix);
  BERTH_TRY(const std::int64_t at, RevisionNow(options, keys));
  Check check("members of etcd hold the same");
  HeldKeys first;
  for (const std::string& endpoint : endpoints) {
    Result<HeldKeys> held = KeysHeldBy(OnlyAsking(options, endpoint), keys.Root(), at);
    if (!held.ok() && IsBehind(held.status())) {
      check.Break(endpoint, fmt::format("etcd at {} has not come to revision {}, which others of "
                                        "the endpoints have; give endpoints of one cluster, or "
                                        "remove that member and add it again, empty",
                                        endpoint, at));
      continue;
    }
    if (!held.ok()) return held.status();
    if (endpoint == endpoints.front()) {
      first = std::move(held).value();
    } else {
      Compare(endpoints.front(), first, endpoint, held.value(), check);
    }
  }
  return std::vector{std::move(check)};
}

}  // namespace berth
