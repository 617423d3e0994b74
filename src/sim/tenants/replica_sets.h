// Which replicas of a pool come together as one tenant: a primary and as many secondaries of its
// class as the class has. The pool knows replicas one by one, so they are put together here: with a
// primary come the secondaries that lived the next longest, so that their curves cover its life.
// Where too few lived as long the longest-lived come, and hold their last sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "berth/rng.h"
#include "sim/tenants/tenant_population.h"

namespace berth {

class ReplicaSets {
 public:
  // Otherwise than whole each replica of the pool is a tenant of its own.
  ReplicaSets(const TenantPopulation& population, bool whole);

  // Who comes next, by the place in the pool; of whole tenants the primary.
  std::size_t Draw(Rng& rng) const { return drawn_from_[rng.Below(drawn_from_.size())]; }
  // Who comes with it. Fewer than its class has where the pool has no more.
  std::span<const std::size_t> SecondariesOf(const PooledTenant& primary) const;

 private:
  struct OfClass {
    std::uint32_t per_tenant = 0;
    std::vector<std::size_t> by_lifetime{};
  };

  const TenantPool& pool_;
  std::vector<std::size_t> drawn_from_;
  std::vector<OfClass> secondaries_;  // By TenantClass.
};

}  // namespace berth
