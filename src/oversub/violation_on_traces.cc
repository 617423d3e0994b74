#include "oversub/violation_on_traces.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "berth/check.h"

namespace berth {
namespace {

bool IsOver(const HostedTenant& tenant, const DemandTrace* trace, Step moment) {
  return trace != nullptr && tenant.creation + trace->lifetime() < moment;
}

Demand DemandAt(const HostedTenant& tenant, const DemandTrace* trace, Step moment) {
  if (moment <= tenant.creation) return {};
  return trace == nullptr ? tenant.Held() : trace->At(moment - tenant.creation);
}

// When nobody comes or leaves any more.
Step LastChange(std::span<const HostedTenant> tenants, std::span<const DemandTrace* const> traces,
                Step now) {
  Step last = now;
  for (std::size_t i = 0; i < tenants.size(); ++i) {
    last = std::max(last, tenants[i].creation + (traces[i] == nullptr ? 0 : traces[i]->lifetime()));
  }
  return last;
}

// D(db) by definition; a trace's peak is worked out once for all tenants.
std::vector<bool> MayStandFor(std::span<const DemandTrace> traces, std::span<const Demand> peaks,
                              const HostedTenant& tenant, Step now) {
  std::vector<bool> may(traces.size());
  for (std::size_t i = 0; i < traces.size(); ++i) {
    may[i] = traces[i].tenant_class == tenant.tenant_class && traces[i].role == tenant.role &&
             traces[i].lifetime() >= now - tenant.creation &&
             Covers(peaks[i], tenant.observed_peak);
  }
  return may;
}

}  // namespace

bool ViolatesOnTraces(std::span<const HostedTenant> tenants,
                      std::span<const DemandTrace* const> traces, Step now,
                      const Thresholds& thresholds) {
  std::vector<std::size_t> not_over(tenants.size());
  std::iota(not_over.begin(), not_over.end(), 0U);
  const Step last = LastChange(tenants, traces, now);
  for (Step moment = now + 1; moment <= last + 1; ++moment) {
    std::erase_if(not_over, [&](std::size_t i) { return IsOver(tenants[i], traces[i], moment); });
    PerResource<Load> load;
    for (const std::size_t i : not_over) {
      const Demand demand = DemandAt(tenants[i], traces[i], moment);
      for (const DemandResource r : kAllDemandResources) load[r] += ToLoad(demand[r]);
    }
    for (const DemandResource r : kAllDemandResources) {
      if (load[r] >= thresholds[r]) return true;
    }
  }
  return false;
}

std::uint32_t CountViolationsOnTraces(const TraceLibrary& library,
                                      std::span<const DemandTrace> traces,
                                      std::span<const HostedTenant> tenants, Step now,
                                      const Thresholds& thresholds, std::uint32_t repetitions) {
  BERTH_CHECK(library.size() == traces.size());
  std::vector<Demand> peaks;
  for (const DemandTrace& trace : traces) peaks.push_back(trace.Peak());
  const auto drawn = DrawAll(library, tenants, now, repetitions);
  for (std::size_t i = 0; i < tenants.size(); ++i) {
    const std::vector<bool> may = MayStandFor(traces, peaks, tenants[i], now);
    const bool none = std::ranges::find(may, true) == may.end();
    for (const TraceIndex draw : drawn[i]) {
      BERTH_CHECK(draw == kNoTrace ? none : may[static_cast<std::size_t>(draw)]);
    }
  }
  std::uint32_t violations = 0;
  std::vector<const DemandTrace*> laid(tenants.size());
  for (std::uint32_t repetition = 0; repetition < repetitions; ++repetition) {
    for (std::size_t i = 0; i < tenants.size(); ++i) {
      const TraceIndex draw = drawn[i][repetition];
      laid[i] = draw == kNoTrace ? nullptr : &traces[static_cast<std::size_t>(draw)];
    }
    if (ViolatesOnTraces(tenants, laid, now, thresholds)) ++violations;
  }
  return violations;
}

}  // namespace berth
