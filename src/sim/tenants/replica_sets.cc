#include "sim/tenants/replica_sets.h"

#include <algorithm>

#include "berth/check.h"

namespace berth {

ReplicaSets::ReplicaSets(const TenantPopulation& population, bool whole)
    : pool_(population.pool), secondaries_(population.kinds.size()) {
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    const PooledTenant& tenant = pool_.tenant(i);
    if (!whole || tenant.role == TenantRole::kPrimary) {
      drawn_from_.push_back(i);
    } else {
      secondaries_[static_cast<std::size_t>(tenant.tenant_class)].by_lifetime.push_back(i);
    }
  }
  BERTH_CHECK(!drawn_from_.empty());
  for (std::size_t i = 0; i < secondaries_.size(); ++i) {
    secondaries_[i].per_tenant = population.kinds[i].replicas - 1;
    std::ranges::stable_sort(secondaries_[i].by_lifetime, {},
                             [&](std::size_t at) { return pool_.tenant(at).lifetime; });
  }
}

std::span<const std::size_t> ReplicaSets::SecondariesOf(const PooledTenant& primary) const {
  const auto& [per_tenant, by_lifetime] =
      secondaries_[static_cast<std::size_t>(primary.tenant_class)];
  const std::size_t count = std::min<std::size_t>(per_tenant, by_lifetime.size());
  const auto next = std::ranges::lower_bound(
      by_lifetime, primary.lifetime, {}, [&](std::size_t at) { return pool_.tenant(at).lifetime; });
  const auto first = std::min<std::size_t>(static_cast<std::size_t>(next - by_lifetime.begin()),
                                           by_lifetime.size() - count);
  return std::span(by_lifetime).subspan(first, count);
}

}  // namespace berth
