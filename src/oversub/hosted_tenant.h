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
  Demand observed_peak{};
};

}  // namespace berth
