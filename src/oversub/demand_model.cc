#include "oversub/demand_model.h"

#include <cmath>
#include <vector>

#include "base/quantiles.h"
#include "berth/check.h"

namespace berth {
namespace {

constexpr double kCpuQuantile = 0.90;

// The least whole number not below the quotient that a float holds.
float SlopeOf(std::uint32_t rise, Step steps) {
  const double slope = std::ceil(ToLoad(rise) / steps);
  const auto rounded = static_cast<float>(slope);
  return rounded < slope ? std::nextafter(rounded, HUGE_VALF) : rounded;
}

bool NearMaximum(std::uint32_t sample, std::uint32_t maximum) {
  return std::uint64_t{sample} * 20 >= std::uint64_t{maximum} * 19;
}

GrowthModel FitGrowth(const DemandTrace& trace, DemandResource resource, std::uint32_t maximum) {
  Step reached = 0;
  while (!NearMaximum(trace.samples[static_cast<std::size_t>(reached)][resource], maximum)) {
    ++reached;
  }
  return Growth(trace.samples.front()[resource], maximum, reached);
}

}  // namespace

GrowthModel Growth(std::uint32_t initial, std::uint32_t maximum, Step growth_steps) {
  BERTH_CHECK(initial <= maximum && maximum <= kDemandMax && growth_steps >= 0);
  return {.initial = initial,
          .maximum = maximum,
          .growth_steps = growth_steps,
          .slope = growth_steps == 0 ? 0 : SlopeOf(maximum - initial, growth_steps)};
}

Load DemandModel::At(DemandResource resource, Step age) const {
  if (age > lifetime) return 0;
  switch (resource) {
    case DemandResource::kCpu:
      return ToLoad(cpu_p90);
    case DemandResource::kMemory:
      return memory.At(age);
    case DemandResource::kDisk:
      return disk.At(age);
  }
  return 0;
}

DemandModel FitModel(const DemandTrace& trace) {
  BERTH_CHECK(CheckTrace(trace).ok());
  const Demand peak = trace.Peak();
  std::vector<double> cpu;
  cpu.reserve(trace.samples.size());
  for (const Demand& sample : trace.samples) cpu.push_back(sample[DemandResource::kCpu]);

  DemandModel model;
  model.memory = FitGrowth(trace, DemandResource::kMemory, peak[DemandResource::kMemory]);
  model.disk = FitGrowth(trace, DemandResource::kDisk, peak[DemandResource::kDisk]);
  model.cpu_p90 = static_cast<std::uint32_t>(Quantile(std::move(cpu), kCpuQuantile));
  model.cpu_peak = peak[DemandResource::kCpu];
  model.lifetime = trace.lifetime();
  model.tenant_class = trace.tenant_class;
  model.role = trace.role;
  return model;
}

}  // namespace berth
