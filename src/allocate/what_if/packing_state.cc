#include "allocate/what_if/packing_state.h"

#include <algorithm>

namespace berth {
namespace {

double Share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

}  // namespace

double PackingState::Density() const { return Share(allocated_millicores, in_use_millicores); }
double PackingState::Utilisation() const { return Share(allocated_millicores, all_millicores); }

PackingState MeasurePacking(const Inventory& fleet) {
  PackingState state;
  for (const MachineState& machine : fleet.machines()) {
    if (machine.vacant()) continue;
    const std::int64_t millicores = machine.record.capacity[Resource::kCpu];
    ++state.machines;
    state.all_millicores += millicores;
    if (machine.instances.empty()) continue;
    ++state.machines_in_use;
    state.in_use_millicores += millicores;
    state.allocated_millicores += machine.allocated[Resource::kCpu];
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
