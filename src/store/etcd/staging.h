// One etcd transaction in the making: what the commits in it leave in each key, each key once.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fleet/inventory.h"
#include "store/etcd/layout.h"
#include "store/etcd/options.h"

namespace etcdserverpb {
class TxnRequest;
}

namespace berth {

class Staging {
 public:
  Staging(const EtcdKeys& keys, EtcdBatchLimits limits) : keys_(keys), limits_(limits) {}

  // Takes a commit in; `after` is the state with it. False, and nothing was taken in: it does not
  // fit with those that are in already. The first always fits.
  bool Add(const std::shared_ptr<const Committed>& committed, const Inventory& after);
  void Put(std::string key, std::string value);
  void Erase(std::string key);
  void EraseRange(std::string from, std::string to);

  const std::vector<std::shared_ptr<const Committed>>& commits() const { return commits_; }
  std::size_t operations() const { return writes_.size() + erased_.size() + commits_.size() + 1; }
  std::size_t bytes() const { return bytes_; }

  // With the log entries and the head. Empties it.
  void MoveTo(etcdserverpb::TxnRequest& request, const EtcdHead& head, const Origin& origin,
              const std::vector<const MachineState*>& touched);

 private:
  using Writes = std::map<std::string, std::optional<std::string>>;  // None: erased.
  void StageUpdate(const Update& update, const Inventory& after, Writes& writes) const;

  const EtcdKeys& keys_;
  const EtcdBatchLimits limits_;
  Writes writes_;
  std::vector<std::pair<std::string, std::string>> erased_;
  std::vector<std::shared_ptr<const Committed>> commits_;
  std::size_t bytes_ = 0;  // About.
};

// Machines that changed after `journal_position`, at `first` or later, and neither their record nor
// an instance on them shows when.
std::vector<const MachineState*> TouchedSince(const Inventory& inventory,
                                              std::uint64_t journal_position, Revision first);

}  // namespace berth
