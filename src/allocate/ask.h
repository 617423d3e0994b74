// What the rules are asked about: one instance of one service.
#pragma once

#include <cstdint>
#include <optional>
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
  // Nothing is there yet, but the service is to stay where this machine is.
  void AnchorAt(MachineIndex index) { anchor_ = index; }

  std::uint32_t OnMachine(MachineIndex machine) const;
  std::uint32_t InRack(RackIndex rack) const;
  // What "within one cluster" is relative to: a machine that holds an instance, if any does.
  std::optional<MachineIndex> anchor() const { return anchor_; }

 private:
  // Looked up, never walked.
  std::unordered_map<MachineIndex, std::uint32_t> machines_;
  std::unordered_map<RackIndex, std::uint32_t> racks_;
  std::optional<MachineIndex> anchor_;
};

struct Ask {
  const Inventory& inventory;
  const Service& service;
  const InstanceType& type;
  RoleId role;
  Resources limit;
  TenantIndex tenant;
  const Footprint& footprint;
  std::optional<MachineIndex> leaving = std::nullopt;  // Not back onto this one.
};

// A machine as the rules see it.
struct Candidate {
  MachineIndex index;
  const MachineState& state;
};

}  // namespace berth
