// How promises stand, from committed times alone: of an instance, and of a class.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fleet/inventory.h"
#include "qos/availability.h"

namespace berth {

// The time that an instance was given until now.
Delivered DeliveredOf(const Instance& instance, Time now);

enum class Standing : std::uint8_t {
  kFulfilled,
  kAtRisk,    // It waits, and its promise breaks within its class's margin.
  kViolated,  // It was given less than promised.
};

struct InstanceStanding {
  Standing standing = Standing::kFulfilled;
  Delivered delivered;
  Duration leeway{};  // How long it may still wait; less than nothing: its promise is broken.
  // How long it must run for a broken promise to be kept again; none: it is not broken, or was for
  // all of the time.
  std::optional<Duration> recovers_in = std::nullopt;
};
InstanceStanding StandingOf(const ServiceClass& klass, const Instance& instance, Time now);

// Of the instances that are there; those that are deleted take their accounts with them.
struct ClassStanding {
  ClassId name;
  std::uint32_t target_ppm = 0;
  std::uint64_t instances = 0;
  std::uint64_t pending = 0;
  std::uint64_t fulfilled = 0;
  std::uint64_t at_risk = 0;
  std::uint64_t violated = 0;
  std::uint64_t preemptions = 0;
  std::optional<Duration> next_violation =
      std::nullopt;              // Of those that wait, if they go on waiting.
  double penalty_cpu_hours = 0;  // What is owed so far (Eqs. 10 and 11).
};
// In the order of the policy's classes.
std::vector<ClassStanding> ClassStandings(const Inventory& view, Time now);

}  // namespace berth
