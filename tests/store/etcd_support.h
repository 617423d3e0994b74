// What the tests of the etcd store share.
#pragma once

#include <memory>
#include <string>

#include "audit.h"
#include "store/etcd/etcd_store.h"
#include "support.h"
#include "support/etcd_servers.h"

namespace berth {

// The zone "z" of these servers; fails the test if it cannot be opened.
EtcdOptions EtcdAt(const std::string& endpoints);
std::unique_ptr<EtcdStore> OpenEtcd(const EtcdOptions& options);
inline std::unique_ptr<EtcdStore> OpenEtcd(const testing::EtcdServers& servers) {
  return OpenEtcd(EtcdAt(servers.endpoints()));
}

// Watches from a revision on and checks that every event is the next one. Nothing is looked at
// until it is asked to.
class Follows {
 public:
  Follows(Store& store, Revision from);
  // Looks at what came, until it has seen `last`.
  void ExpectUpTo(Revision last);
  // Looks until it is told to read a snapshot; that revision.
  Revision AwaitCompacted();

 private:
  Mailbox mailbox_;
  Revision last_;
  Revision compacted_{};
  std::unique_ptr<Watch> watch_;
};

// The service on m0, under an idempotency key, decided by `agent` as its first.
ChangeSet KeyedCreate(const std::string& service, const std::string& agent, Time now);

// Both have the same state, their logs hold every acknowledged decision once, and nothing else is
// wrong.
void ExpectSound(Store& store, const Acknowledged& acknowledged);
void ExpectSame(const Inventory& a, const Inventory& b);

}  // namespace berth
