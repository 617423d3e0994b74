// The credits of a node that bursts, as one would first write them down.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "appsim/app_model.h"

namespace berth::testing {

// Work is counted in hundred-thousandths of a microsecond at full speed.
struct ReferenceCredits {
  static constexpr std::int64_t kFull = 100'000;

  CpuBurst burst{};
  std::int64_t credit = 0;
  std::int64_t settled = 0;  // When that was what it had.

  // How fast it is while so much is used, and for how long.
  struct Phase {
    std::int64_t speed = kFull;
    std::int64_t lasts = std::numeric_limits<std::int64_t>::max();
  };
  Phase Now(std::int64_t uses) const {
    const std::int64_t spends = uses - burst.baseline_milli;
    if (spends <= 0) return {};
    if (credit >= spends) return {.lasts = credit / spends};
    return {.speed = std::max<std::int64_t>(1, burst.baseline_milli * kFull / uses)};
  }

  // The work that is done from when it was settled until then.
  std::int64_t Settle(std::int64_t until, std::int64_t uses) {
    std::int64_t work = 0;
    while (settled < until) {
      const Phase phase = Now(uses);
      const std::int64_t passes = std::min(until - settled, phase.lasts);
      if (phase.speed == kFull) credit += (burst.baseline_milli - uses) * passes;
      credit = std::min(credit, burst.most);
      work += phase.speed * passes;
      settled += passes;
    }
    return work;
  }

  // When that much more is done; not before it was settled.
  std::int64_t When(std::int64_t work, std::int64_t uses) const {
    if (work <= 0) return settled;
    ReferenceCredits later = *this;
    const Phase phase = Now(uses);
    const std::int64_t takes = (work + phase.speed - 1) / phase.speed;
    if (takes <= phase.lasts) return settled + takes;
    return later.When(work - later.Settle(settled + phase.lasts, uses), uses);
  }
};

}  // namespace berth::testing
