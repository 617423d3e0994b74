// What compression costs in truth: the probability of a violation on full traces and on models, as
// in figure 7 of the paper, for several ways to say when growth ends; and Algorithm 1 on both.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

#include "bench/oversub/suites.h"
#include "bench/oversub/tenants.h"
#include "oversub/violation_on_traces.h"

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
  SortAsInLibrary(traces);
  for (std::size_t way = 0; way < kWays; ++way) {
    std::vector<DemandModel> models;
    for (const DemandTrace& trace : traces) models.push_back(Fit(trace, way));
    population.libraries.push_back(TraceLibrary::Build(std::move(models)).value());
  }
  return population;
}

// 80 cores, 5.1 GB each, 5 TB.
Thresholds NodeThresholds() { return ThresholdsOf(Demand(80'000, 417'792, 4'768'372), 950); }

struct Shares {
  double in_full = 0;
  std::array<double, kWays> in_models{};
};

// So many tenants drawn at random, one placed every step, and all of their lives replayed.
Shares Compare(const Population& population, std::size_t count, int samples, Rng& rng) {
  constexpr Step kBeforeAll = -1;
  const Thresholds thresholds = NodeThresholds();
  std::vector<HostedTenant> tenants(count);
  for (std::size_t i = 0; i < count; ++i) tenants[i].creation = static_cast<Step>(i);
  std::vector<TraceIndex> drawn(count);
  std::vector<const DemandTrace*> traces(count);
  std::vector<DemandCurve> curves(count);
  Shares shares;
  for (int sample = 0; sample < samples; ++sample) {
    for (std::size_t i = 0; i < count; ++i) {
      drawn[i] = TraceIndex{static_cast<std::uint32_t>(rng.Below(population.traces.size()))};
      traces[i] = &population.traces[static_cast<std::size_t>(drawn[i])];
    }
    if (ViolatesOnTraces(tenants, traces, kBeforeAll, thresholds)) shares.in_full += 1.0 / samples;
    for (std::size_t way = 0; way < kWays; ++way) {
      for (std::size_t i = 0; i < count; ++i) {
        curves[i] = CurveOf(population.libraries[way], tenants[i], drawn[i]);
      }
      if (ViolatesAtDepartures(curves, kBeforeAll, thresholds)) {
        shares.in_models[way] += 1.0 / samples;
      }
    }
  }
  return shares;
}

void PrintHead() {
  fmt::print("Probability of a violation, a tenant placed every step, full traces and models\n");
  fmt::print("  {:<9} {:>7} {:>7}", "region", "tenants", "full");
  for (const std::string_view name : kWayNames) fmt::print(" {:>8}", name);
  fmt::print("\n");
}

void PrintRow(std::string_view region, std::size_t tenants, const Shares& shares) {
  fmt::print("  {:<9} {:>7} {:>7.4f}", region, tenants, shares.in_full);
  for (const double share : shares.in_models) fmt::print(" {:>8.4f}", share);
  fmt::print("\n");
  std::fflush(stdout);
}

struct Apart {
  std::array<double, kWays> sum{};
  std::array<double, kWays> most{};
  int points = 0;

  void Add(const Shares& shares) {
    for (std::size_t way = 0; way < kWays; ++way) {
      const double apart = std::abs(shares.in_models[way] - shares.in_full);
      sum[way] += apart;
      most[way] = std::max(most[way], apart);
    }
    ++points;
  }
  void Print() const {
    fmt::print("  {:<25}", "mean distance from full");
    for (const double of_way : sum) fmt::print(" {:>8.4f}", of_way / points);
    fmt::print("\n  {:<25}", "greatest");
    for (const double of_way : most) fmt::print(" {:>8.4f}", of_way);
    fmt::print("\n");
  }
};

// Only this resource can be short.
Thresholds Only(DemandResource resource) {
  constexpr Load kNever = ToLoad(UINT32_MAX);
  Thresholds thresholds(kNever, kNever, kNever);
  thresholds[resource] = NodeThresholds()[resource];
  return thresholds;
}

// Algorithm 1 on machines found at work, of whose tenants only what was observed is known: the same
// draws as traces and as models.
void CompareEstimates(const PopulationRegion& region, const Population& population, int machines,
                      Rng& rng) {
  constexpr std::uint32_t kRepetitions = 50;
  const TraceLibrary& library = population.libraries[kLeastSquares];
  PerResource<double> on_traces;
  PerResource<double> on_models;
  for (int machine = 0; machine < machines; ++machine) {
    std::vector<HostedTenant> tenants(10 + rng.Below(40));
    for (HostedTenant& tenant : tenants) tenant = TenantMet(region, kBenchStart, rng);
    for (const DemandResource r : kAllDemandResources) {
      on_traces[r] += CountViolationsOnTraces(library, population.traces, tenants, kBenchStart,
                                              Only(r), kRepetitions);
      on_models[r] += CountViolations(library, tenants, kBenchStart, Only(r), kRepetitions);
    }
  }
  fmt::print("  {:<9} Algorithm 1 on {} machines at work, traces and models:", region.name,
             machines);
  for (const DemandResource r : kAllDemandResources) {
    const double all = static_cast<double>(kRepetitions) * machines;
    fmt::print(" {} {:.4f} {:.4f}",
               r == DemandResource::kCpu      ? "cpu"
               : r == DemandResource::kMemory ? "memory"
                                              : "disk",
               on_traces[r] / all, on_models[r] / all);
  }
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace

void RunFit(bool full) {
  PrintHead();
  Apart apart;
  for (const PopulationRegion& region : PopulationRegions()) {
    Rng rng = Rng(9).Fork(region.name);
    const Population population = Generate(region, full ? 10'000 : 1'500, rng);
    for (std::size_t tenants = 10; tenants <= 200; tenants += full ? 10 : 30) {
      const Shares shares = Compare(population, tenants, full ? 10'000 : 300, rng);
      PrintRow(region.name, tenants, shares);
      apart.Add(shares);
    }
    Rng at_work = Rng(10).Fork(region.name);
    CompareEstimates(region, population, full ? 100 : 10, at_work);
  }
  apart.Print();
}

}  // namespace berth
