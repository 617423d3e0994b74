#include "oversub/demand_trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "berth/check.h"

namespace berth {

Demand DemandTrace::At(Step age) const {
  BERTH_CHECK(age >= 0 && !samples.empty());
  if (age > lifetime()) return {};
  return samples[static_cast<std::size_t>(std::min(age, lifetime() - 1))];
}

Demand DemandTrace::Peak() const {
  Demand peak;
  for (const Demand& sample : samples) peak = Greater(peak, sample);
  return peak;
}

Status CheckTrace(const DemandTrace& trace) {
  if (trace.samples.empty()) {
    return Status(Code::kInvalidArgument, "A demand trace needs at least one sample");
  }
  if (trace.samples.size() > static_cast<std::size_t>(kLifetimeStepsMax)) {
    return Status(Code::kInvalidArgument, fmt::format("A demand trace has {} samples, at most {}",
                                                      trace.samples.size(), kLifetimeStepsMax));
  }
  const Demand peak = trace.Peak();
  for (const DemandResource r : kAllDemandResources) {
    if (peak[r] > kDemandMax) {
      return Status(Code::kInvalidArgument,
                    fmt::format("A demand trace reaches {}, at most {} (millicores or MiB)",
                                peak[r], kDemandMax));
    }
  }
  return {};
}

}  // namespace berth
