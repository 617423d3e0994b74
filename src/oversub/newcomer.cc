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
    : tenant_{.key = NewcomerKey(tenant_class, role, epoch),
              .tenant_class = tenant_class,
              .role = role,
              .creation = now,
              .observed_peak = {}} {
  if (library.Group(tenant_class, role).empty()) tenant_.observed_peak = without_traces;
  curves_.reserve(repetitions);
  for (std::uint32_t i = 0; i < repetitions; ++i) {
    curves_.push_back(CurveOf(library, tenant_, library.Draw(tenant_, now, i)));
    for (const DemandResource r : kAllDemandResources) {
      maxima_[r].push_back(curves_.back().Maximum(r));
      greatest_[r] = std::max(greatest_[r], maxima_[r].back());
    }
  }
}

}  // namespace berth
