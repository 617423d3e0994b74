#include "oversub/violation.h"

#include <algorithm>

#include "berth/check.h"

namespace berth {
namespace {

constexpr std::uint64_t kWholeThousandths = 1'000;

bool ReachesAt(std::span<const DemandCurve> curves, Step moment, const Thresholds& thresholds) {
  for (const DemandResource r : kAllDemandResources) {
    Load load = 0;
    for (const DemandCurve& curve : curves) {
      if (curve.creation < moment) load += curve.At(r, moment);
    }
    if (load >= thresholds[r]) return true;
  }
  return false;
}

}  // namespace

Thresholds ThresholdsOf(const Demand& capacity,
                        const PerResource<std::uint32_t>& shares_thousandths) {
  Thresholds thresholds;
  for (const DemandResource r : kAllDemandResources) {
    BERTH_CHECK(shares_thousandths[r] > 0 && shares_thousandths[r] <= kWholeThousandths);
    const std::uint64_t product =
        static_cast<std::uint64_t>(kLoadUnit) * capacity[r] * shares_thousandths[r];
    const std::uint64_t rounded_up = (product + kWholeThousandths - 1) / kWholeThousandths;
    thresholds[r] = capacity[r] == 0 ? kNeverReached : static_cast<Load>(rounded_up);
  }
  return thresholds;
}

bool ViolatesAtAnyStep(std::span<const DemandCurve> curves, Step now,
                       const Thresholds& thresholds) {
  // After the last change only those held for ever are left, at a level.
  Step last = now;
  for (const DemandCurve& curve : curves) {
    last = std::max(last, curve.end == kForever ? curve.creation : curve.end);
  }
  for (Step moment = now + 1; moment <= last + 1; ++moment) {
    if (ReachesAt(curves, moment, thresholds)) return true;
  }
  return false;
}

bool ViolatesAtDepartures(std::span<const DemandCurve> curves, Step now,
                          const Thresholds& thresholds) {
  return std::ranges::any_of(curves, [&](const DemandCurve& leaving) {
    return leaving.end > now && ReachesAt(curves, leaving.end, thresholds);
  });
}

std::vector<DemandCurve> DrawCurves(const TraceLibrary& library,
                                    std::span<const HostedTenant> tenants, Step now,
                                    std::uint32_t repetition) {
  std::vector<DemandCurve> curves;
  curves.reserve(tenants.size());
  for (const HostedTenant& tenant : tenants) {
    curves.push_back(CurveOf(library, tenant, library.Draw(tenant, now, repetition)));
  }
  return curves;
}

std::vector<std::vector<TraceIndex>> DrawAll(const TraceLibrary& library,
                                             std::span<const HostedTenant> tenants, Step now,
                                             std::uint32_t repetitions) {
  std::vector<std::vector<TraceIndex>> drawn(tenants.size(), std::vector<TraceIndex>(repetitions));
  for (std::size_t i = 0; i < tenants.size(); ++i) library.DrawAll(tenants[i], now, drawn[i]);
  return drawn;
}

std::vector<DemandCurve> CurvesOf(const TraceLibrary& library,
                                  std::span<const HostedTenant> tenants,
                                  std::span<const std::vector<TraceIndex>> drawn,
                                  std::uint32_t repetition) {
  std::vector<DemandCurve> curves;
  curves.reserve(tenants.size());
  for (std::size_t i = 0; i < tenants.size(); ++i) {
    curves.push_back(CurveOf(library, tenants[i], drawn[i][repetition]));
  }
  return curves;
}

std::uint32_t CountViolations(const TraceLibrary& library, std::span<const HostedTenant> tenants,
                              Step now, const Thresholds& thresholds, std::uint32_t repetitions) {
  const auto drawn = DrawAll(library, tenants, now, repetitions);
  std::uint32_t violations = 0;
  for (std::uint32_t repetition = 0; repetition < repetitions; ++repetition) {
    const auto curves = CurvesOf(library, tenants, drawn, repetition);
    if (ViolatesAtDepartures(curves, now, thresholds)) ++violations;
  }
  return violations;
}

}  // namespace berth
