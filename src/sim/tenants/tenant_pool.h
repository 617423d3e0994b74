// The tenants that a rehearsal draws from, with everything they will ever need: the ground truth,
// of which techniques see only the present.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oversub/demand_trace.h"

namespace berth {

inline constexpr Step kStepsPerHour = 6;
inline constexpr Step kStepsPerDay = 24 * kStepsPerHour;

struct PooledTenant {
  TenantClass tenant_class{};
  TenantRole role{};
  Step lifetime = 0;
  std::uint32_t promised_millicores = 0;  // What density counts.
  std::size_t begin = 0;                  // In the pool's samples,
  Step last = 0;                          // and the last age it has one for.
};

class TenantPool {
 public:
  // Nobody is looked at when older than so many steps, so later samples are not kept.
  explicit TenantPool(Step oldest) : oldest_(oldest) {}

  void Add(const DemandTrace& trace, std::uint32_t promised_millicores);

  std::size_t size() const { return tenants_.size(); }
  const PooledTenant& tenant(std::size_t index) const { return tenants_[index]; }
  // From its creation on, as far as they are kept.
  std::span<const Demand> SamplesOf(const PooledTenant& tenant) const {
    return std::span(samples_).subspan(tenant.begin, static_cast<std::size_t>(tenant.last) + 1);
  }
  // At an age of 0 to `oldest`; the last sample is held.
  const Demand& At(const PooledTenant& tenant, Step age) const {
    return samples_[PlaceOf(tenant, age)];
  }
  // Of each resource the most from that age to a day later.
  const Demand& DayAhead(const PooledTenant& tenant, Step age) const {
    return day_ahead_[PlaceOf(tenant, age)];
  }
  // Needed once, after the last Add, by who asks DayAhead.
  void LookAhead();

 private:
  static std::size_t PlaceOf(const PooledTenant& tenant, Step age) {
    return tenant.begin + static_cast<std::size_t>(age < tenant.last ? age : tenant.last);
  }

  Step oldest_;
  std::vector<PooledTenant> tenants_;
  std::vector<Demand> samples_;
  std::vector<Demand> day_ahead_;  // As samples_, or empty.
};

}  // namespace berth
