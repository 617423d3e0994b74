#include "oversub/demand_curve.h"

#include <algorithm>

namespace berth {
namespace {

DemandCurve::Growing Grow(const GrowthModel& model) {
  // Without growth the curve is level: the slope of a model says nothing of it.
  const std::uint32_t initial = model.growth_steps == 0 ? model.maximum : model.initial;
  return {ToLoad(initial), model.slope, ToLoad(model.maximum)};
}

DemandCurve::Growing Level(std::uint32_t amount) { return {ToLoad(amount), 0, ToLoad(amount)}; }

}  // namespace

DemandCurve CurveOf(const TraceLibrary& library, const HostedTenant& tenant, TraceIndex drawn) {
  if (drawn == kNoTrace) {
    const Demand held = tenant.Held();
    return {.creation = tenant.creation,
            .end = kForever,
            .growth_end = tenant.creation,
            .cpu = ToLoad(held[DemandResource::kCpu]),
            .memory = Level(held[DemandResource::kMemory]),
            .disk = Level(held[DemandResource::kDisk])};
  }
  const DemandModel& model = library.model(drawn);
  return {
      .creation = tenant.creation,
      .end = tenant.creation + model.lifetime,
      .growth_end = tenant.creation + std::max(model.memory.growth_steps, model.disk.growth_steps),
      .cpu = ToLoad(model.cpu_p90),
      .memory = Grow(model.memory),
      .disk = Grow(model.disk)};
}

}  // namespace berth
