// Follows the store's log across crashes and cuts, and holds it to its promise: every revision, in
// order, and none that is lost later.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/faults/connection.h"
#include "sim/faults/history.h"

namespace berth::faults {

class Watcher {
 public:
  Watcher(World& world, StoreProcess& store, const History& history, Connection::Options options);

  // Looks away until the log no longer reaches back to what it saw.
  void FallBehind();
  bool away() const { return away_; }
  Connection& connection() { return connection_; }
  // The store is back, or all is over: nothing that it saw may be lost.
  void CheckSeen();
  Revision last() const { return last_; }
  const std::string& name() const { return name_; }

 private:
  void Follow();
  void OnEvent(const WatchEvent& event);
  void OnSnapshot(const Inventory& snapshot);
  void LookAgainSoon();

  World& world_;
  StoreProcess& store_;
  const History& history_;
  const std::string name_;
  Connection connection_;
  Revision last_{};
  std::vector<Disk::Entry> seen_;  // Since the history was last compared with it.
  bool away_ = false;
  std::unique_ptr<Watch> watch_;
};

}  // namespace berth::faults
