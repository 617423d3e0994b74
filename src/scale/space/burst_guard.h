// Resistance to load in bursts (yo-yo attacks, section 5.2 of the thesis on predictive
// autoscaling). What BurstSettings say, of one service.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "berth/time.h"
#include "scale/space/space_policy.h"

namespace berth {

// Half as much again as the least since the last burst is one; it is over when it has fallen by
// that much.
inline constexpr double kBurstSwing = 1.5;

class BurstGuard {
 public:
  explicit BurstGuard(const BurstSettings& settings) : settings_(settings) {}

  struct Hold {
    std::uint32_t most = 0;
    Time until{};
  };
  // In order of time: what is wanted now. None: it may be had.
  std::optional<Hold> See(Time now, std::uint32_t wanted);

 private:
  void FollowLevel(Time now, std::uint32_t wanted);
  void FollowBursts(Time now, std::uint32_t wanted);

  BurstSettings settings_;
  std::optional<Time> seen_at_;
  std::uint32_t seen_ = 0;
  double level_ = 0;        // The average, of the memory.
  std::uint32_t low_ = 0;   // Since the last burst, or before this one.
  std::uint32_t high_ = 0;  // Of this burst.
  bool in_burst_ = false;
  std::deque<Time> bursts_;  // When those of the memory began.
};

}  // namespace berth
