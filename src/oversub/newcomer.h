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
  // Created now, nothing observed of it. `without_traces` is what it is taken to hold if there are
  // no traces of its class.
  Newcomer(const TraceLibrary& library, TenantClass tenant_class, TenantRole role,
           std::uint64_t epoch, Step now, std::uint32_t repetitions, Demand without_traces = {});
  // One that was created before and is to be moved.
  Newcomer(const TraceLibrary& library, const HostedTenant& tenant, Step now,
           std::uint32_t repetitions);

  Step now() const { return now_; }
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
  Step now_;
  std::vector<DemandCurve> curves_;
  PerResource<std::vector<Load>> maxima_;
  PerResource<Load> greatest_;
};

}  // namespace berth
