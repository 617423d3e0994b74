// A fleet's words as the estimate has them: who a tenant is, what it takes, and when.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string_view>

#include "berth/name.h"
#include "berth/resources.h"
#include "berth/time.h"
#include "oversub/demand_trace.h"

namespace berth {

inline constexpr Duration kStepLength = std::chrono::minutes(10);
inline constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;

// The step in which a moment lies.
constexpr Step StepOf(Time moment) {
  const std::int64_t micros = ToMicros(moment);
  const std::int64_t length = kStepLength.count();
  const std::int64_t steps = micros / length - (micros % length < 0 ? 1 : 0);
  return static_cast<Step>(std::clamp<std::int64_t>(steps, INT32_MIN / 2, INT32_MAX / 2));
}

// What is there, rounded down to whole units; what is taken, rounded up.
constexpr Demand CapacityDemand(const Resources& capacity) {
  const auto units = [](std::int64_t amount, std::int64_t unit) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(amount / unit, 0, kDemandMax));
  };
  return {units(capacity[Resource::kCpu], 1), units(capacity[Resource::kMemory], kMebibyte),
          units(capacity[Resource::kDisk], kMebibyte)};
}
constexpr Demand UsageDemand(Resources usage) {
  usage[Resource::kMemory] += kMebibyte - 1;
  usage[Resource::kDisk] += kMebibyte - 1;
  return CapacityDemand(usage);
}
constexpr Resource ToResource(DemandResource resource) {
  switch (resource) {
    case DemandResource::kCpu:
      break;
    case DemandResource::kMemory:
      return Resource::kMemory;
    case DemandResource::kDisk:
      return Resource::kDisk;
  }
  return Resource::kCpu;
}
template <typename Amount>
constexpr Resources ToResources(const PerResource<Amount>& demand) {
  using enum DemandResource;
  Resources resources;
  resources[Resource::kCpu] = static_cast<std::int64_t>(demand[kCpu]);
  resources[Resource::kMemory] = static_cast<std::int64_t>(demand[kMemory]) * kMebibyte;
  resources[Resource::kDisk] = static_cast<std::int64_t>(demand[kDisk]) * kMebibyte;
  return resources;
}

// The same number for an instance wherever and whenever it is seen: FNV-1a.
constexpr std::uint64_t TenantKeyOf(std::string_view service, std::uint32_t number) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto mix = [&](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3ULL; };
  for (const char c : service) mix(static_cast<unsigned char>(c));
  mix('/');
  for (int shift = 0; shift < 32; shift += 8) mix(static_cast<unsigned char>(number >> shift));
  return hash;
}

// Traces tell secondaries from all others.
inline TenantRole TenantRoleOf(RoleId role) {
  return role.str() == "secondary" ? TenantRole::kSecondary : TenantRole::kPrimary;
}

}  // namespace berth
