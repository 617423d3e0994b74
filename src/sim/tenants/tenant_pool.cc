#include "sim/tenants/tenant_pool.h"

#include <algorithm>
#include <span>

#include "berth/check.h"

namespace berth {
namespace {

// The greatest of each sample and the `ahead` that follow. Blocks of ahead + 1 samples: a window
// spans at most two, so it is the greater of what is left of one and what is reached of the next.
void SlidingMaxima(std::span<const Demand> samples, std::size_t ahead, std::span<Demand> maxima) {
  const std::size_t block = ahead + 1;
  std::vector<Demand> reached(samples.begin(), samples.end());
  for (std::size_t i = 1; i < samples.size(); ++i) {
    if (i % block != 0) reached[i] = Greater(reached[i], reached[i - 1]);
  }
  Demand left;
  for (std::size_t i = samples.size(); i-- > 0;) {
    left = (i + 1) % block == 0 ? samples[i] : Greater(samples[i], left);
    const std::size_t end = std::min(i + ahead, samples.size() - 1);
    maxima[i] = end / block == i / block ? left : Greater(left, reached[end]);
  }
}

}  // namespace

void TenantPool::Add(const DemandTrace& trace, std::uint32_t promised_millicores) {
  BERTH_CHECK(trace.lifetime() > 0 && day_ahead_.empty());
  // A day more than anyone grows old, for DayAhead.
  const Step kept = std::min(trace.lifetime(), oldest_ + kStepsPerDay + 1);
  tenants_.push_back({.tenant_class = trace.tenant_class,
                      .role = trace.role,
                      .lifetime = trace.lifetime(),
                      .promised_millicores = promised_millicores,
                      .begin = samples_.size(),
                      .last = kept - 1});
  samples_.insert(samples_.end(), trace.samples.begin(), trace.samples.begin() + kept);
}

void TenantPool::LookAhead() {
  day_ahead_.resize(samples_.size());
  for (const PooledTenant& tenant : tenants_) {
    const std::span<const Demand> samples = SamplesOf(tenant);
    SlidingMaxima(samples, kStepsPerDay,
                  std::span(day_ahead_).subspan(tenant.begin, samples.size()));
  }
}

}  // namespace berth
