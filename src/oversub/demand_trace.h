// What one tenant of the past asked of its machine, step by step, from its creation to its end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "berth/status.h"

namespace berth {

// Time in ten minutes, the grain of the traces: since the epoch for a moment, from a tenant's
// creation for an age.
using Step = std::int32_t;
inline constexpr Step kLifetimeStepsMax = 1 << 20;  // Twenty years.

enum class DemandResource : std::uint8_t { kCpu, kMemory, kDisk };
inline constexpr std::size_t kDemandResourceCount = 3;
inline constexpr std::array<DemandResource, kDemandResourceCount> kAllDemandResources = {
    DemandResource::kCpu, DemandResource::kMemory, DemandResource::kDisk};

template <typename T>
class PerResource {
 public:
  constexpr PerResource() = default;
  constexpr PerResource(T cpu, T memory, T disk) : values_{cpu, memory, disk} {}

  constexpr T& operator[](DemandResource r) { return values_[static_cast<std::size_t>(r)]; }
  constexpr const T& operator[](DemandResource r) const {
    return values_[static_cast<std::size_t>(r)];
  }
  friend constexpr bool operator==(const PerResource&, const PerResource&) = default;
  friend constexpr PerResource operator+(const PerResource& a, const PerResource& b) {
    return {a.values_[0] + b.values_[0], a.values_[1] + b.values_[1], a.values_[2] + b.values_[2]};
  }
  friend constexpr PerResource operator-(const PerResource& a, const PerResource& b) {
    return {a.values_[0] - b.values_[0], a.values_[1] - b.values_[1], a.values_[2] - b.values_[2]};
  }

 private:
  std::array<T, kDemandResourceCount> values_{};
};

// cpu in millicores, memory and disk in MiB.
using Demand = PerResource<std::uint32_t>;
inline constexpr std::uint32_t kDemandMax = 1U << 26;  // 64 TiB, 67,108 cores.

// Every amount at least the other's.
constexpr bool Covers(const Demand& demand, const Demand& other) {
  for (const DemandResource r : kAllDemandResources) {
    if (demand[r] < other[r]) return false;
  }
  return true;
}
// Of each resource the greater amount.
constexpr Demand Greater(Demand a, const Demand& b) {
  for (const DemandResource r : kAllDemandResources) {
    if (a[r] < b[r]) a[r] = b[r];
  }
  return a;
}

// Tenants that were alike before they were placed: same maximum, place of the data, billing and
// number of replicas. Whoever fills a library numbers them.
enum class TenantClass : std::uint16_t {};
enum class TenantRole : std::uint8_t { kPrimary, kSecondary };

struct DemandTrace {
  TenantClass tenant_class{};
  TenantRole role{};
  std::vector<Demand> samples;  // One a step, from the creation on.

  Step lifetime() const { return static_cast<Step>(samples.size()); }
  // A tenant is active at the ages 1 to lifetime, samples are those of 0 to lifetime - 1: the last
  // is held. Nothing once it is gone.
  Demand At(Step age) const;
  Demand Peak() const;
};

// At least one sample, none over the limits.
Status CheckTrace(const DemandTrace& trace);

}  // namespace berth
