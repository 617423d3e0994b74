// A tenant on a machine, as far as an estimate wants to know it.
#pragma once

#include <cstdint>

#include "oversub/demand_trace.h"

namespace berth {

struct HostedTenant {
  std::uint64_t key = 0;  // Names the tenant's replica; what it draws depends on it.
  TenantClass tenant_class{};
  TenantRole role{};
  Step creation = 0;
  // The most that was seen, of each resource; nothing of one that was never seen.
  Demand observed_peak{};
  // What it was promised of the resources that were never seen; nothing of the others.
  Demand promised{};

  // What it is taken to need for ever when no trace may stand for it.
  constexpr Demand Held() const { return Greater(observed_peak, promised); }
};

}  // namespace berth
