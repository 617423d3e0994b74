// What compression costs in truth: the probability of a violation on full traces and on models, as
// in figure 7 of the paper, for several ways to say when growth ends.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "bench/oversub/suites.h"
#include "bench/oversub/tenants.h"
#include "oversub/violation.h"

namespace berth {
namespace {

// The first step at so much of the maximum.
Step FirstAt(const DemandTrace& trace, DemandResource r, double share) {
  const double wanted = share * trace.Peak()[r];
  Step step = 0;
  while (trace.samples[static_cast<std::size_t>(step)][r] < wanted) ++step;
  return step;
}

enum Way : std::uint8_t { kLeastSquares, kAt95, kAt90, kAtMaximum, kAtOnce };
constexpr std::array<std::string_view, 5> kWayNames = {"squares", "95%", "90%", "maximum",
                                                       "at once"};

Step GrowthSteps(const DemandTrace& trace, DemandResource r, std::size_t way) {
  switch (way) {
    case kAt95:
      return FirstAt(trace, r, 0.95);
    case kAt90:
      return FirstAt(trace, r, 0.90);
    case kAtMaximum:
      return FirstAt(trace, r, 1.0);
    default:
      return 0;
  }
}

DemandModel Fit(const DemandTrace& trace, std::size_t way) {
  DemandModel model = FitModel(trace);
  if (way == kLeastSquares) return model;
  const auto fit = [&](GrowthModel& growth, DemandResource r) {
    growth = GrowthTo(growth.initial, growth.maximum, GrowthSteps(trace, r, way));
  };
  fit(model.memory, DemandResource::kMemory);
  fit(model.disk, DemandResource::kDisk);
  return model;
}

// Adding traces up one by one reads each sample once.
bool ViolatesInFull(const std::vector<const DemandTrace*>& traces, Step now,
                    const Thresholds& thresholds) {
  PerResource<std::vector<Load>> loads;
  Step last = now;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    last = std::max(last, static_cast<Step>(i) + traces[i]->lifetime());
  }
  for (const DemandResource r : kAllDemandResources) {
    loads[r].assign(static_cast<std::size_t>(last - now), 0);
    for (std::size_t i = 0; i < traces.size(); ++i) {
      const auto creation = static_cast<Step>(i);
      for (Step moment = now + 1; moment <= creation + traces[i]->lifetime(); ++moment) {
        loads[r][static_cast<std::size_t>(moment - now - 1)] +=
            ToLoad(traces[i]->At(moment - creation)[r]);
      }
    }
    if (std::ranges::any_of(loads[r], [&](Load load) { return load >= thresholds[r]; })) {
      return true;
    }
  }
  return false;
}

constexpr std::size_t kWays = kWayNames.size();

// One region's tenants, in full and as models; a trace and its models have one number.
struct Population {
  std::vector<DemandTrace> traces;
  std::vector<TraceLibrary> libraries;  // By way.
};

Population Generate(const PopulationRegion& region, std::size_t size, Rng& rng) {
  Population population;
  std::vector<DemandTrace>& traces = population.traces;
  while (traces.size() < size) traces.push_back(GenerateTenant(region, rng));
  // The order in which a library keeps them.
  std::ranges::stable_sort(traces, {}, [](const DemandTrace& trace) {
    return std::pair(trace.tenant_class, trace.role);
  });
  for (std::size_t way = 0; way < kWays; ++way) {
    std::vector<DemandModel> models;
    for (const DemandTrace& trace : traces) models.push_back(Fit(trace, way));
    population.libraries.push_back(TraceLibrary::Build(std::move(models)).value());
  }
  return population;
}

struct Shares {
  double in_full = 0;
  std::array<double, kWays> in_models{};
};

// So many tenants drawn at random, one placed every step, looked at when all are there.
Shares Compare(const Population& population, std::size_t tenants, int samples, Rng& rng) {
  const Thresholds thresholds = ThresholdsOf(Demand(80'000, 417'792, 4'768'372), 950);
  const auto now = static_cast<Step>(tenants) - 1;
  Shares shares;
  for (int sample = 0; sample < samples; ++sample) {
    std::vector<std::uint32_t> drawn;
    std::vector<const DemandTrace*> traces;
    while (drawn.size() < tenants) {
      drawn.push_back(static_cast<std::uint32_t>(rng.Below(population.traces.size())));
      traces.push_back(&population.traces[drawn.back()]);
    }
    if (ViolatesInFull(traces, now, thresholds)) shares.in_full += 1.0 / samples;
    for (std::size_t way = 0; way < kWays; ++way) {
      std::vector<DemandCurve> curves;
      for (std::size_t i = 0; i < tenants; ++i) {
        HostedTenant tenant;
        tenant.creation = static_cast<Step>(i);
        curves.push_back(CurveOf(population.libraries[way], tenant, TraceIndex{drawn[i]}));
      }
      if (ViolatesAtDepartures(curves, now, thresholds)) shares.in_models[way] += 1.0 / samples;
    }
  }
  return shares;
}

}  // namespace

void RunFit(bool full) {
  fmt::print("Probability of a violation, a tenant placed every step, full traces and models\n");
  fmt::print("  {:<9} {:>7} {:>7}", "region", "tenants", "full");
  for (const std::string_view name : kWayNames) fmt::print(" {:>8}", name);
  fmt::print("\n");
  std::array<double, kWays> apart{};
  int points = 0;
  for (const PopulationRegion& region : PopulationRegions()) {
    Rng rng = Rng(9).Fork(region.name);
    const Population population = Generate(region, full ? 10'000 : 1'500, rng);
    for (const std::size_t tenants : {40U, 50U, 60U, 70U, 80U, 100U, 120U}) {
      const Shares shares = Compare(population, tenants, full ? 2'000 : 300, rng);
      fmt::print("  {:<9} {:>7} {:>7.3f}", region.name, tenants, shares.in_full);
      for (std::size_t way = 0; way < kWays; ++way) {
        fmt::print(" {:>8.3f}", shares.in_models[way]);
        apart[way] += std::abs(shares.in_models[way] - shares.in_full);
      }
      fmt::print("\n");
      ++points;
    }
  }
  fmt::print("  {:<25}", "mean distance from full");
  for (const double sum : apart) fmt::print(" {:>8.4f}", sum / points);
  fmt::print("\n");
}

}  // namespace berth
