// Random but plausible changes: what agents and administrators do, valid on the view more often
// than not, with collisions, stale views and nonsense mixed in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "berth/rng.h"
#include "fleet/inventory.h"

namespace berth {

class RandomChanges {
 public:
  // Its decisions are `agent`'s, numbered from 1.
  RandomChanges(std::uint64_t seed, std::string agent);

  ChangeSet Next(const Inventory& view, Time now);
  std::uint64_t last_sequence() const { return sequence_; }

 private:
  using Operations = std::vector<Operation>;

  void AddSomething(const Inventory& view, Time now, Operations& operations);
  void PutMachine(const Inventory& view, Operations& operations);
  void CreateService(const Inventory& view, Operations& operations);
  void GrowService(const Inventory& view, Service service, Operations& operations);
  void ChangeInstance(const Inventory& view, Operations& operations);
  void PutSmallThing(const Inventory& view, Time now, Operations& operations);

  MachineId AnyMachine(const Inventory& view);
  const ServiceState* AnyService(const Inventory& view);
  const Instance* AnyInstance(const Inventory& view);

  Rng rng_;
  const std::string agent_;
  std::uint64_t sequence_ = 0;
  std::uint32_t services_ = 0;
};

}  // namespace berth
