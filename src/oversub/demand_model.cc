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

// The end of growth with the least squared error, of those tried: all up to 8, then a quarter
// further each time. The initial demand and the maximum are given.
GrowthModel FitGrowth(const DemandTrace& trace, DemandResource resource, std::uint32_t maximum) {
  const auto sample = [&](Step age) {
    return ToLoad(trace.samples[static_cast<std::size_t>(age)][resource]);
  };
  // At the maximum from an age on: the error of all samples from there.
  std::vector<double> level_errors(trace.samples.size() + 1);
  for (Step age = trace.lifetime(); age-- > 0;) {
    const double apart = ToLoad(maximum) - sample(age);
    level_errors[static_cast<std::size_t>(age)] =
        level_errors[static_cast<std::size_t>(age) + 1] + apart * apart;
  }
  GrowthModel best;
  double least = HUGE_VAL;
  for (Step steps = 0; steps < trace.lifetime(); steps += std::max(1, steps / 4)) {
    const GrowthModel tried = GrowthTo(trace.samples.front()[resource], maximum, steps);
    double error = level_errors[static_cast<std::size_t>(steps)];
    for (Step age = 0; age < steps; ++age) {
      const double apart = tried.At(age) - sample(age);
      error += apart * apart;
    }
    if (error < least) {
      least = error;
      best = tried;
    }
  }
  return best;
}

}  // namespace

GrowthModel GrowthTo(std::uint32_t initial, std::uint32_t maximum, Step growth_steps) {
  BERTH_CHECK(initial <= maximum && maximum <= kDemandMax && growth_steps >= 0);
  return {.initial = initial,
          .maximum = maximum,
          .growth_steps = growth_steps,
          .slope = growth_steps == 0 ? 0 : SlopeOf(maximum - initial, growth_steps)};
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
