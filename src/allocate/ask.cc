#include "allocate/ask.h"

namespace berth {

Footprint::Footprint(const Inventory& inventory, const ServiceState& service) {
  for (const Instance& instance : service.instances) {
    if (!instance.HoldsRoom()) continue;
    const MachineIndex machine = *inventory.IndexOf(instance.machine);
    Add(inventory[machine], machine);
  }
}

void Footprint::Add(const MachineState& machine, MachineIndex index) {
  ++machines_[index];
  ++racks_[machine.rack];
  anchor_ = index;
}

std::uint32_t Footprint::OnMachine(MachineIndex machine) const {
  const auto at = machines_.find(machine);
  return at == machines_.end() ? 0 : at->second;
}

std::uint32_t Footprint::InRack(RackIndex rack) const {
  const auto at = racks_.find(rack);
  return at == racks_.end() ? 0 : at->second;
}

}  // namespace berth
