#include "sim/packing_sample.h"

namespace berth {
namespace {

double Share(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

}  // namespace

FleetSampler::FleetSampler(const Inventory& fleet) : bound_(fleet) {
  for (const MachineState& machine : fleet.machines()) {
    if (machine.vacant()) continue;
    ++machines_;
    capacity_milli_ += machine.record.capacity[Resource::kCpu];
    memory_ += static_cast<double>(machine.record.capacity[Resource::kMemory]);
  }
}

PackingSample FleetSampler::Look(const Inventory& view, Time now) const {
  PackingSample sample{.at = now};
  ResourceTotals allocated;
  double in_use_milli = 0;
  for (const MachineState& machine : view.machines()) {
    if (machine.vacant() || machine.instances.empty()) continue;
    ++sample.machines_in_use;
    sample.instances += machine.instances.size();
    allocated += machine.allocated;
    in_use_milli += static_cast<double>(machine.record.capacity[Resource::kCpu]);
  }
  const auto cores_milli = static_cast<double>(allocated[Resource::kCpu]);
  sample.utilisation = Share(cores_milli, static_cast<double>(capacity_milli_));
  sample.density = Share(cores_milli, in_use_milli);
  sample.density_bound = Share(cores_milli / 1000, bound_.CoresFor(allocated));
  sample.memory = Share(static_cast<double>(allocated[Resource::kMemory]), memory_);
  sample.machines_bound = bound_.MachinesFor(allocated);
  return sample;
}

}  // namespace berth
