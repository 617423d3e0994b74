// Who waits for room, first come, first served.
//
// The order is that in which services began to wait, read from committed times, so that it is the
// same after a restart and in every process. It follows commits rather than an agent's view, in
// which tentative placements come and go.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fleet/inventory.h"

namespace berth {

class PendingQueue {
 public:
  // Takes over what a commit says of an instance or a service.
  void Note(const Update& update);
  void Rebuild(const Inventory& fleet);

  bool empty() const { return order_.empty(); }
  std::uint64_t instances() const { return instances_; }
  // The services that wait, in the order in which they began to.
  std::vector<std::string> InOrder() const;

 private:
  using Waiting = std::map<std::uint32_t, Time>;  // By number: since when.
  void Set(const std::string& service, std::uint32_t number, const Instance* instance);
  void Leave(const std::string& service, const Waiting& waiting);
  void Join(const std::string& service, const Waiting& waiting);

  std::map<std::string, Waiting> waiting_;  // Never empty ones.
  std::set<std::pair<Time, std::string>> order_;
  std::uint64_t instances_ = 0;
};

}  // namespace berth
