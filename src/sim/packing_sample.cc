#include "sim/packing_sample.h"

#include "fleet/packing_state.h"

namespace berth {

PackingSample SamplePacking(const Inventory& fleet, const VolumeBound& bound, Time now) {
  const PackingState state = MeasurePacking(fleet);
  const double bound_millicores = 1000 * bound.CoresFor(state.allocated);
  PackingSample sample{.at = now};
  sample.utilisation = state.Utilisation();
  sample.density = state.Density();
  if (bound_millicores > 0) {
    sample.density_bound = static_cast<double>(state.allocated_millicores()) / bound_millicores;
  }
  sample.memory = state.MemoryUtilisation();
  sample.instances = state.instances;
  sample.machines_in_use = state.machines_in_use;
  sample.machines_bound = bound.MachinesFor(state.allocated);
  return sample;
}

}  // namespace berth
