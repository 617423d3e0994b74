// The fleet's own part of a policy: how far machines may be over-subscribed, and service classes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "berth/name.h"
#include "berth/resources.h"
#include "berth/status.h"
#include "berth/time.h"

namespace berth {

class Node;

// The bounds on a policy's over-subscription: never less than the machine has.
inline constexpr std::uint32_t kOversubscriptionPercentMin = 100;
inline constexpr std::uint32_t kOversubscriptionPercentMax = 10'000;
inline constexpr std::size_t kClassesMax = 64;
inline constexpr std::uint32_t kImportanceMax = 1'000'000;

// A penalty: below this availability, this share of the price is credited.
struct PenaltyTier {
  std::uint32_t below_ppm = 0;
  std::uint32_t credit_percent = 0;

  friend bool operator==(const PenaltyTier&, const PenaltyTier&) = default;
};

struct ServiceClass {
  ClassId name;
  std::uint32_t availability_ppm = 0;  // The promised share of time running, in millionths.
  std::uint32_t importance = 0;        // Higher yields later.
  Duration margin{};                   // How long before a violation an instance counts as at risk.
  std::uint32_t overhead_cap_ppm = 0;  // Preempted at most so often by its own class.
  bool may_wait = false;               // Placed at once or refused, unless it may wait.
  bool evictable = false;              // Yields its place to classes that are not.
  std::vector<PenaltyTier> penalties;  // From the mildest on: `below` falls, the credit rises.

  friend bool operator==(const ServiceClass&, const ServiceClass&) = default;
};

struct FleetSettings {
  // Limits on a machine may sum to this share of its capacity.
  std::array<std::uint32_t, kResourceCount> oversubscription_percent{100, 100, 100, 100, 100};
  std::vector<ServiceClass> classes;

  // Capacity times the ratio, rounded down.
  Resources Usable(const Resources& capacity) const;
  const ServiceClass* FindClass(ClassId name) const;
  friend bool operator==(const FleetSettings&, const FleetSettings&) = default;
};

// Reads `oversubscription` and `classes` from a policy; other sections are other rooms'. What is
// left out is as in DefaultFleetSettings.
Result<FleetSettings> ReadFleetSettings(const Node& policy);
Result<FleetSettings> ParseFleetSettings(std::string_view policy_text);

// Gold, silver and bronze with the credits of "QoS-driven scheduling in the cloud", table 2;
// nothing over-subscribed.
FleetSettings DefaultFleetSettings();

}  // namespace berth
