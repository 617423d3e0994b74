#include "oversub/newcomer.h"

#include "oversub/counter_draw.h"

namespace berth {
namespace {

std::uint64_t NewcomerKey(TenantClass tenant_class, TenantRole role, std::uint64_t epoch) {
  return CounterDraw(epoch, static_cast<std::uint32_t>(tenant_class),
                     static_cast<std::uint32_t>(role));
}

}  // namespace

Newcomer::Newcomer(const TraceLibrary& library, TenantClass tenant_class, TenantRole role,
                   std::uint64_t epoch, Step now, std::uint32_t repetitions, Demand without_traces)
    : Newcomer(
          library,
          {.key = NewcomerKey(tenant_class, role, epoch),
           .tenant_class = tenant_class,
           .role = role,
           .creation = now,
           .observed_peak = library.Group(tenant_class, role).empty() ? without_traces : Demand()},
          now, repetitions) {}

Newcomer::Newcomer(const TraceLibrary& library, const HostedTenant& tenant, Step now,
                   std::uint32_t repetitions)
    : tenant_(tenant), now_(now) {
  curves_.reserve(repetitions);
  for (std::uint32_t i = 0; i < repetitions; ++i) {
    curves_.push_back(CurveOf(library, tenant_, library.Draw(tenant_, now, i)));
    // A draw that ends now needs nothing any more.
    const bool over = curves_.back().end <= now;
    for (const DemandResource r : kAllDemandResources) {
      maxima_[r].push_back(over ? 0 : curves_.back().Maximum(r));
      greatest_[r] = std::max(greatest_[r], maxima_[r].back());
    }
  }
}

}  // namespace berth
