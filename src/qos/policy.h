// The `scheduler` section of a policy: who decides who waits and who yields.
#pragma once

#include <cstdint>

#include "base/document.h"
#include "berth/status.h"
#include "berth/time.h"
#include "fleet/settings.h"

namespace berth {

enum class SchedulerKind : std::uint8_t {
  kNone,      // First come, first served; nobody yields.
  kQos,       // By what was promised and delivered.
  kPriority,  // By importance alone.
};

struct SchedulerPolicy {
  SchedulerKind kind = SchedulerKind::kNone;
  Duration watchdog = std::chrono::seconds(10);  // While anybody waits, a pass at least so often.
  Duration allocation_time{};                    // What a start is expected to take at most.
  bool admission = false;                        // Refuse what would break promises already made.

  friend bool operator==(const SchedulerPolicy&, const SchedulerPolicy&) = default;
};

// Written as `scheduler: qos`, or as a map where more is to be said.
Result<SchedulerPolicy> ParseSchedulerPolicy(const Node& policy, const FleetSettings& settings);

}  // namespace berth
