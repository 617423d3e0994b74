// The cpu of a node that may be faster than its baseline for as long as it has credits: how far
// its work is, and when it will be done. Work that is under way together goes on at one speed.
// Time, credits and work are whole numbers, so asking more often changes nothing.
#pragma once

#include <cstdint>

#include "appsim/app_model.h"

namespace berth {

// Of work: a microsecond at full speed. A speed is how many parts of it are done a microsecond.
inline constexpr std::int64_t kFullSpeed = 100'000;

class BurstingCpu {
 public:
  BurstingCpu(const CpuBurst& burst, std::int64_t cpu_milli, std::int64_t now)
      : burst_(burst), cpu_milli_(cpu_milli), since_(now), credit_(burst.start) {}

  // So much of it is asked for from now on.
  void Ask(std::int64_t now, std::int64_t milli);
  // Work that was done since it is there.
  std::int64_t Done(std::int64_t now);
  // When that much is done, if nothing else is asked for; not before now.
  std::int64_t WhenDone(std::int64_t work) const;
  // Microseconds in which it had no credits and more was asked for than its baseline.
  std::int64_t Throttled(std::int64_t now);

 private:
  // What it uses above the baseline at full speed; below zero: what it saves.
  std::int64_t Above() const { return asked_milli_ - burst_.baseline_milli; }
  std::int64_t ThrottledSpeed() const;
  void GoOn(std::int64_t now);

  CpuBurst burst_;
  std::int64_t cpu_milli_;
  std::int64_t since_;   // What follows is of then.
  std::int64_t credit_;  // In the unit of CpuBurst.
  std::int64_t asked_milli_ = 0;
  std::int64_t done_ = 0;
  std::int64_t throttled_us_ = 0;
};

}  // namespace berth
