// The decision log as far as it was needed: the newest entries as they came, older ones fetched
// from etcd some at a time, because whoever wants one wants the next.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "berth/store.h"
#include "store/etcd/layout.h"

namespace berth {

class EtcdClient;

class EtcdLogReader {
 public:
  EtcdLogReader(EtcdClient& client, const EtcdKeys& keys) : client_(client), keys_(keys) {}

  // The next revision, or the first one after Forget.
  void Add(std::shared_ptr<const Committed> committed);
  // The state jumped: what is kept is not the past of what comes.
  void Forget();
  // kNotFound when etcd has no such entry.
  Result<std::shared_ptr<const Committed>> Read(Revision revision);
  // Entries from a revision on, as many as are fetched at a time.
  Result<std::vector<LogEntry>> Fetch(Revision from) const;

 private:
  EtcdClient& client_;
  const EtcdKeys& keys_;
  std::deque<std::shared_ptr<const Committed>> newest_;
  std::size_t newest_updates_ = 0;
  std::vector<LogEntry> fetched_;
};

}  // namespace berth
