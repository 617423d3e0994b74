// What the rules are asked about: one instance of one service.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "berth/records.h"
#include "fleet/inventory.h"

namespace berth {

// Where a service's instances are already, its own tentative ones included.
class Footprint {
 public:
  Footprint() = default;
  Footprint(const Inventory& inventory, const ServiceState& service);

  void Add(const MachineState& machine, MachineIndex index);

  bool empty() const { return instances_ == 0; }
  std::uint32_t OnMachine(MachineIndex machine) const;
  std::uint32_t InRack(RackIndex rack) const;
  // Some machine that holds one; where the service must stay is relative to it.
  MachineIndex any() const { return any_; }

 private:
  // Looked up, never walked.
  std::unordered_map<MachineIndex, std::uint32_t> machines_;
  std::unordered_map<RackIndex, std::uint32_t> racks_;
  std::uint32_t instances_ = 0;
  MachineIndex any_{};
};

struct Ask {
  const Inventory& inventory;
  const Service& service;
  const InstanceType& type;
  RoleId role;
  Resources limit;
  TenantIndex tenant;
  const Footprint& footprint;
};

// A machine as the rules see it.
struct Candidate {
  MachineIndex index;
  const MachineState& state;
};

}  // namespace berth
