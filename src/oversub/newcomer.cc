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
                   std::uint64_t epoch, Arrival arrival, std::uint32_t repetitions, Demand promised)
    : Newcomer(library,
               {.key = NewcomerKey(tenant_class, role, epoch),
                .tenant_class = tenant_class,
                .role = role,
                .creation = arrival.begin,
                .promised = promised},
               arrival, repetitions) {}

Newcomer::Newcomer(const TraceLibrary& library, const HostedTenant& tenant, Arrival arrival,
                   std::uint32_t repetitions)
    : tenant_(tenant) {
  curves_.reserve(repetitions);
  TraceDraws draws(library, tenant_, arrival.begin);
  for (std::uint32_t i = 0; i < repetitions; ++i) {
    DemandCurve curve = CurveOf(library, tenant_, draws.In(i));
    if (curve.end != kForever) curve.end += arrival.end - arrival.begin;
    // A draw that ends as it comes needs nothing any more.
    const bool over = curve.end <= arrival.end;
    curves_.push_back(curve);
    for (const DemandResource r : kAllDemandResources) {
      maxima_[r].push_back(over ? 0 : curve.Maximum(r));
      greatest_[r] = std::max(greatest_[r], maxima_[r].back());
    }
  }
}

}  // namespace berth
