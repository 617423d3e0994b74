// For tests: how far the estimate and the slow reference are apart on a random machine, each with
// draws of its own.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "oversub/slow_reference_testing.h"
#include "oversub/violation.h"

namespace berth::testing {

struct Agreement {
  double estimated = 0;
  double reference = 0;

  double StandardErrors(std::uint32_t repetitions) const {
    const double variance =
        (estimated * (1 - estimated) + reference * (1 - reference)) / repetitions;
    return variance == 0 ? 0 : std::abs(estimated - reference) / std::sqrt(variance);
  }
};

// A few tenants in the middle of short lives, so that what is left of them is uncertain, and a
// threshold that the reference reaches with a probability between 0.02 and 0.98.
class RandomMachine {
 public:
  explicit RandomMachine(std::uint64_t seed)
      : rng_(seed), traces_(RandomSlowTraces(rng_, 60, 9, 2)) {
    do {
      tenants_.clear();
      for (std::uint64_t left = 2 + rng_.Below(3); left > 0; --left) {
        tenants_.push_back(RandomTenant(rng_, traces_, kNow));
      }
    } while (!ChooseThresholds());
  }

  Agreement Compare(std::uint32_t repetitions) {
    const TraceLibrary library = TraceLibrary::Build(ModelsOf(traces_)).value();
    Thresholds scaled;
    for (const DemandResource r : kAllDemandResources) scaled[r] = ToLoad(thresholds_[r]);
    const std::uint32_t violations = CountViolations(library, tenants_, kNow, scaled, repetitions);
    return {static_cast<double>(violations) / repetitions, Reference(repetitions)};
  }

 private:
  static constexpr Step kNow = 100;

  bool Reaches(const PerResource<double>& peak) const {
    return std::ranges::any_of(kAllDemandResources,
                               [&](DemandResource r) { return peak[r] >= thresholds_[r]; });
  }

  double Reference(std::uint32_t repetitions) {
    SlowEstimate slow(traces_, tenants_, kNow);
    std::uint32_t violations = 0;
    for (std::uint32_t i = 0; i < repetitions; ++i) {
      if (Reaches(slow.Peak(rng_))) ++violations;
    }
    return static_cast<double>(violations) / repetitions;
  }

  // False if this choice leaves too little to chance.
  bool ChooseThresholds() {
    constexpr std::uint32_t kPilot = 400;
    SlowEstimate slow(traces_, tenants_, kNow);
    PerResource<std::vector<double>> peaks;
    for (std::uint32_t i = 0; i < kPilot; ++i) {
      const PerResource<double> peak = slow.Peak(rng_);
      for (const DemandResource r : kAllDemandResources) peaks[r].push_back(peak[r]);
    }
    for (const DemandResource r : kAllDemandResources) std::ranges::sort(peaks[r]);
    for (const DemandResource r : kAllDemandResources) {
      thresholds_[r] = static_cast<std::uint32_t>(peaks[r][rng_.Below(kPilot)]) + 1;
    }
    const double pilot = Reference(kPilot);
    return pilot > 0.02 && pilot < 0.98;
  }

  Rng rng_;
  std::vector<SlowTrace> traces_;
  std::vector<HostedTenant> tenants_;
  Demand thresholds_;
};

}  // namespace berth::testing
