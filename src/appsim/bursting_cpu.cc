#include "appsim/bursting_cpu.h"

#include <algorithm>

namespace berth {
namespace {

std::int64_t DividedUp(std::int64_t value, std::int64_t by) { return (value + by - 1) / by; }

}  // namespace

// It then spends just what it earns. However little that is, work ends some time.
std::int64_t BurstingCpu::ThrottledSpeed() const {
  return std::max<std::int64_t>(1, burst_.baseline_milli * kFullSpeed / asked_milli_);
}

void BurstingCpu::GoOn(std::int64_t now) {
  const std::int64_t passed = now - since_;
  since_ = now;
  const std::int64_t above = Above();
  if (above <= 0) {
    const std::int64_t room = burst_.most - credit_;
    credit_ = above == 0 || passed <= room / -above ? credit_ - above * passed : burst_.most;
    done_ += passed * kFullSpeed;
    return;
  }
  // A microsecond is at full speed if there are credits for all of it.
  const std::int64_t full = std::min(passed, credit_ / above);
  credit_ -= full * above;
  done_ += full * kFullSpeed;
  if (full == passed) return;
  done_ += (passed - full) * ThrottledSpeed();
  throttled_us_ += passed - full;
}

void BurstingCpu::Ask(std::int64_t now, std::int64_t milli) {
  GoOn(now);
  asked_milli_ = std::min(milli, cpu_milli_);
}

std::int64_t BurstingCpu::Done(std::int64_t now) {
  GoOn(now);
  return done_;
}

std::int64_t BurstingCpu::WhenDone(std::int64_t work) const {
  const std::int64_t left = std::max<std::int64_t>(0, work - done_);
  const std::int64_t at_full_speed = DividedUp(left, kFullSpeed);
  const std::int64_t above = Above();
  if (above <= 0) return since_ + at_full_speed;
  const std::int64_t full = credit_ / above;
  if (at_full_speed <= full) return since_ + at_full_speed;
  return since_ + full + DividedUp(left - full * kFullSpeed, ThrottledSpeed());
}

std::int64_t BurstingCpu::Throttled(std::int64_t now) {
  GoOn(now);
  return throttled_us_;
}

}  // namespace berth
