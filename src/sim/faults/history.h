// Everything that became durable, in order, and whether it is what it must be: the fleet valid
// after every commit, every decision and every key once, every acknowledgement kept.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "berth/request.h"
#include "fleet/inventory.h"
#include "sim/faults/disk.h"
#include "sim/faults/reference.h"
#include "sim/faults/world.h"

namespace berth::faults {

class History {
 public:
  explicit History(World& world) : world_(world) {}

  // A commit can no longer be lost.
  void Append(const Disk::Entry& entry);
  // A client was told that its request is done.
  void Acknowledge(const std::string& key, const Reply& reply);
  // The store is back: what was acknowledged must be there. Again at the end.
  void CheckAcknowledged();

  // What the store hands out to be read must be what the log leads to.
  void CheckSnapshot(const Inventory& snapshot);
  // Whether a view of the fleet is that of all that was committed.
  bool Agrees(const Inventory& view) const;

  Revision revision() const { return Revision{entries_.size()}; }
  const std::vector<Disk::Entry>& entries() const { return entries_; }
  std::uint64_t acknowledged() const { return acknowledged_.size(); }

 private:
  // What a key led to.
  struct Done {
    Revision revision{};
    const Decision* decision = nullptr;  // None for what was merely reported.
  };

  void NoteDecision(const Decision& decision, Revision revision);
  void NoteKey(const std::string& key, Done done);
  void Check(const std::string& key, const Reply& reply);

  World& world_;
  std::vector<Disk::Entry> entries_;
  Reference fleet_;
  std::map<DecisionId, Revision> decisions_;
  std::map<std::string, Done> done_;  // By key.
  std::multimap<std::string, Reply> acknowledged_;
};

}  // namespace berth::faults
