// A whole zone as etcd holds it: created when it is new, read in pieces that all show the same
// moment.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "fleet/inventory.h"
#include "store/etcd/layout.h"
#include "store/etcd/options.h"

namespace berth {

class EtcdClient;

// The version that this program writes.
inline constexpr std::uint64_t kEtcdFormatVersion = 1;
// What a format key holds: a newer version is refused.
Status CheckEtcdFormat(const std::string& key, const std::string& value);

// A machine whose last change is not yet in its touched key, and the log entry that tells of it.
struct PendingTouch {
  Revision entry{};
  MachineId machine;
};

struct StoredZone {
  Inventory inventory;
  EtcdHead head;
  std::int64_t head_at = 0;  // The etcd revision that wrote the head,
  std::int64_t read_at = 0;  // and the one that all of this was read at.
  std::deque<PendingTouch> pending;
  Revision oldest_log{1};  // Of the log keys that are there; the next revision if there are none.
};

Status NoZone(const EtcdClient& client, const EtcdKeys& keys);

// Makes the zone if there is none and need not be. The answer is a number that no other opening
// gets.
Result<std::uint64_t> OpenZone(EtcdClient& client, const EtcdKeys& keys, bool must_exist);

Result<StoredZone> LoadZone(EtcdClient& client, const EtcdKeys& keys, std::int64_t range_keys_max);

}  // namespace berth
