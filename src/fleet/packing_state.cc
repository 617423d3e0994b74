#include "fleet/packing_state.h"

#include <algorithm>

namespace berth {
namespace {

double Share(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

}  // namespace

std::int64_t PackingState::allocated_millicores() const {
  return static_cast<std::int64_t>(allocated[Resource::kCpu]);
}

std::int64_t PackingState::all_millicores() const {
  return static_cast<std::int64_t>(capacity[Resource::kCpu]);
}

double PackingState::Density() const {
  return Share(static_cast<double>(allocated_millicores()), static_cast<double>(in_use_millicores));
}

double PackingState::Utilisation() const {
  return Share(static_cast<double>(allocated_millicores()), static_cast<double>(all_millicores()));
}

double PackingState::MemoryUtilisation() const {
  return Share(static_cast<double>(allocated[Resource::kMemory]),
               static_cast<double>(capacity[Resource::kMemory]));
}

PackingState MeasurePacking(const Inventory& fleet) {
  PackingState state;
  for (const MachineState& machine : fleet.machines()) {
    if (machine.vacant()) continue;
    ++state.machines;
    state.capacity += machine.record.capacity;
    if (machine.instances.empty()) continue;
    ++state.machines_in_use;
    state.in_use_millicores += machine.record.capacity[Resource::kCpu];
    state.allocated += machine.allocated;
    state.instances += machine.instances.size();
  }
  for (const ServiceState& service : fleet.services()) {
    const auto waiting = std::ranges::count(service.instances, InstanceState::kPending,
                                            [](const Instance& i) { return i.state; });
    state.waiting += static_cast<std::uint64_t>(waiting);
  }
  return state;
}

}  // namespace berth
