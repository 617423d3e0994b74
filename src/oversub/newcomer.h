// A tenant that is to be placed, in every repetition. What a newcomer draws depends on its class,
// its role and the epoch only, so that all newcomers of a class share it until the epoch ends, and
// a machine's answer can be kept for them all. One that is to be moved draws what it draws anyway.
#pragma once

#include <cstdint>
#include <vector>

#include "oversub/demand_curve.h"

namespace berth {

class Newcomer {
 public:
  // When it may come, the end excluded. It stands for all that do: it grows like the first of them
  // and stays like the last, so it needs at least what each of them needs at any time.
  struct Arrival {
    Step begin = 0;
    Step end = 0;

    static Arrival At(Step step) { return {.begin = step, .end = step}; }
  };

  // Created as it comes, nothing observed of it. `promised` is what it is taken to hold if there
  // are no traces of its class.
  Newcomer(const TraceLibrary& library, TenantClass tenant_class, TenantRole role,
           std::uint64_t epoch, Arrival arrival, std::uint32_t repetitions, Demand promised = {});
  // One that was created before and is to be moved.
  Newcomer(const TraceLibrary& library, const HostedTenant& tenant, Arrival arrival,
           std::uint32_t repetitions);

  std::uint32_t repetitions() const { return static_cast<std::uint32_t>(curves_.size()); }
  const DemandCurve& curve(std::uint32_t repetition) const { return curves_[repetition]; }
  // What it needs at most, a repetition after the other.
  const std::vector<Load>& maxima(DemandResource resource) const { return maxima_[resource]; }
  // The greatest of them.
  Load greatest(DemandResource resource) const { return greatest_[resource]; }
  // The tenant it stands for while it is not yet one.
  const HostedTenant& tenant() const { return tenant_; }

 private:
  HostedTenant tenant_;
  std::vector<DemandCurve> curves_;
  PerResource<std::vector<Load>> maxima_;
  PerResource<Load> greatest_;
};

}  // namespace berth
