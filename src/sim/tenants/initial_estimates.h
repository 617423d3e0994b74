// What a tenant is taken to need before anything was seen of it: a percentile of what the past
// tenants of its class and role came to need.
#pragma once

#include <vector>

#include "sim/tenants/tenant_population.h"

namespace berth {

class InitialEstimates {
 public:
  // Of the tenants' greatest memory and disk and of their 90th percentile of cpu, each resource by
  // itself; a class without a past is taken to need all it is promised.
  InitialEstimates(const TenantPopulation& population, double quantile);

  const Demand& Of(TenantClass tenant_class, TenantRole role) const {
    return estimates_[2 * static_cast<std::size_t>(tenant_class) + static_cast<std::size_t>(role)];
  }

 private:
  std::vector<Demand> estimates_;  // By class, then role.
};

}  // namespace berth
