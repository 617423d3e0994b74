// For tests: the estimate as the paper words it, written apart from everything it is compared with.
// Eq. 2 as a fraction, D(db) by looking at every trace, every step of time, fresh random draws.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "berth/rng.h"
#include "oversub/demand_model.h"
#include "oversub/hosted_tenant.h"

namespace berth::testing {

struct SlowTrace {
  std::uint32_t initial[2];  // Memory, disk.
  std::uint32_t maximum[2];
  Step growth[2];
  std::uint32_t cpu_p90;
  std::uint32_t cpu_peak;
  Step lifetime;
  int tenant_class;
  bool secondary;

  double DemandAt(int resource, Step age) const {
    if (age > lifetime) return 0;
    const Step held = std::min(age, lifetime - 1);
    if (resource == 0) return cpu_p90;
    const int i = resource - 1;
    if (held >= growth[i]) return maximum[i];
    return initial[i] + static_cast<double>(held) / growth[i] * (maximum[i] - initial[i]);
  }
  bool MayStandFor(const HostedTenant& tenant, Step now) const {
    return tenant_class == static_cast<int>(tenant.tenant_class) &&
           secondary == (tenant.role == TenantRole::kSecondary) &&
           lifetime >= now - tenant.creation &&
           cpu_peak >= tenant.observed_peak[DemandResource::kCpu] &&
           maximum[0] >= tenant.observed_peak[DemandResource::kMemory] &&
           maximum[1] >= tenant.observed_peak[DemandResource::kDisk];
  }
};

inline SlowTrace RandomSlowTrace(Rng& rng, Step lifetime_max, int classes) {
  SlowTrace trace{};
  trace.lifetime = static_cast<Step>(1 + rng.Below(static_cast<std::uint64_t>(lifetime_max)));
  for (int i = 0; i < 2; ++i) {
    trace.maximum[i] = static_cast<std::uint32_t>(20'000 + rng.Below(80'000));
    trace.initial[i] = static_cast<std::uint32_t>(rng.Below(trace.maximum[i] + 1ULL));
    trace.growth[i] = static_cast<Step>(rng.Below(static_cast<std::uint64_t>(trace.lifetime)));
  }
  trace.cpu_p90 = static_cast<std::uint32_t>(rng.Below(50'000));
  trace.cpu_peak = trace.cpu_p90 + static_cast<std::uint32_t>(rng.Below(20'000));
  trace.tenant_class = static_cast<int>(rng.Below(static_cast<std::uint64_t>(classes)));
  trace.secondary = rng.Below(2) == 1;
  return trace;
}

inline std::vector<SlowTrace> RandomSlowTraces(Rng& rng, std::size_t count, Step lifetime_max,
                                               int classes) {
  std::vector<SlowTrace> traces;
  while (traces.size() < count) traces.push_back(RandomSlowTrace(rng, lifetime_max, classes));
  return traces;
}

inline DemandModel ModelOf(const SlowTrace& trace) {
  DemandModel model;
  model.memory = GrowthTo(trace.initial[0], trace.maximum[0], trace.growth[0]);
  model.disk = GrowthTo(trace.initial[1], trace.maximum[1], trace.growth[1]);
  model.cpu_p90 = trace.cpu_p90;
  model.cpu_peak = trace.cpu_peak;
  model.lifetime = trace.lifetime;
  model.tenant_class = TenantClass{static_cast<std::uint16_t>(trace.tenant_class)};
  model.role = trace.secondary ? TenantRole::kSecondary : TenantRole::kPrimary;
  return model;
}

inline std::vector<DemandModel> ModelsOf(const std::vector<SlowTrace>& traces) {
  std::vector<DemandModel> models;
  for (const SlowTrace& trace : traces) models.push_back(ModelOf(trace));
  return models;
}

// A tenant that lived through the beginning of a random one of the traces. Of some resources
// nothing was seen, of a new one of none.
inline HostedTenant RandomTenant(Rng& rng, const std::vector<SlowTrace>& traces, Step now) {
  const SlowTrace& past = traces[rng.Below(traces.size())];
  const auto age = static_cast<Step>(rng.Below(static_cast<std::uint64_t>(past.lifetime)));
  HostedTenant tenant{.key = rng.Next(),
                      .tenant_class = TenantClass{static_cast<std::uint16_t>(past.tenant_class)},
                      .role = past.secondary ? TenantRole::kSecondary : TenantRole::kPrimary,
                      .creation = now - age,
                      .observed_peak = {}};
  for (const DemandResource r : kAllDemandResources) {
    if (age == 0 || rng.Below(4) == 0) {
      tenant.promised[r] = static_cast<std::uint32_t>(20'000 + rng.Below(80'000));
    } else {
      tenant.observed_peak[r] = static_cast<std::uint32_t>(past.DemandAt(static_cast<int>(r), age));
    }
  }
  return tenant;
}
// One that is older than all of them became.
inline HostedTenant RandomSurvivor(Rng& rng, const std::vector<SlowTrace>& traces, Step now) {
  HostedTenant tenant = RandomTenant(rng, traces, now);
  for (const SlowTrace& trace : traces) {
    tenant.creation = std::min(tenant.creation, now - trace.lifetime - 1);
  }
  return tenant;
}

class SlowEstimate {
 public:
  // For whom no trace may stand, the most that was seen of each resource is held, and what was
  // promised of those that were never seen.
  SlowEstimate(const std::vector<SlowTrace>& traces, std::vector<HostedTenant> tenants, Step now)
      : tenants_(std::move(tenants)), eligible_(tenants_.size()), now_(now) {
    for (std::size_t i = 0; i < tenants_.size(); ++i) {
      for (const SlowTrace& trace : traces) {
        if (trace.MayStandFor(tenants_[i], now)) eligible_[i].push_back(&trace);
      }
      if (!eligible_[i].empty()) continue;
      for (const DemandResource r : kAllDemandResources) {
        const std::uint32_t seen = tenants_[i].observed_peak[r];
        held_[r] += seen > 0 ? seen : tenants_[i].promised[r];
      }
    }
  }

  // The greatest load after now, by resource, of one more repetition.
  PerResource<double> Peak(Rng& rng) {
    loads_.clear();
    for (std::size_t i = 0; i < tenants_.size(); ++i) {
      if (eligible_[i].empty()) continue;
      Add(*eligible_[i][rng.Below(eligible_[i].size())], now_ - tenants_[i].creation);
    }
    PerResource<double> peak;
    for (const Loads& load : loads_) {
      for (int r = 0; r < 3; ++r) {
        double& greatest = peak[static_cast<DemandResource>(r)];
        greatest = std::max(greatest, load.of[r]);
      }
    }
    return peak + held_;
  }

 private:
  struct Loads {
    double of[3] = {0, 0, 0};
  };

  // To every step after now that the trace lives to see.
  void Add(const SlowTrace& trace, Step age_now) {
    const auto left = static_cast<std::size_t>(trace.lifetime - age_now);
    if (loads_.size() < left) loads_.resize(left);
    for (Step age = age_now + 1; age <= trace.lifetime; ++age) {
      Loads& load = loads_[static_cast<std::size_t>(age - age_now - 1)];
      for (int r = 0; r < 3; ++r) load.of[r] += trace.DemandAt(r, age);
    }
  }

  std::vector<HostedTenant> tenants_;
  std::vector<std::vector<const SlowTrace*>> eligible_;
  PerResource<double> held_;
  std::vector<Loads> loads_;  // A step after now each.
  Step now_;
};

}  // namespace berth::testing
