// Who waits for room, first come, first served.
//
// The order is that in which services began to wait, read from committed times, so that it is the
// same after a restart and in every process.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fleet/inventory.h"

namespace berth {

class PendingQueue {
 public:
  // Looks at the service as it is now in the view.
  void Refresh(const Inventory& view, const std::string& service);
  void Rebuild(const Inventory& view);

  bool empty() const { return order_.empty(); }
  std::uint64_t instances() const { return instances_; }
  // The services that wait, in the order in which they began to.
  std::vector<std::string> InOrder() const;

 private:
  struct Waiting {
    Time since;
    std::uint64_t instances = 0;
  };
  std::map<std::string, Waiting> waiting_;
  std::set<std::pair<Time, std::string>> order_;
  std::uint64_t instances_ = 0;
};

}  // namespace berth
