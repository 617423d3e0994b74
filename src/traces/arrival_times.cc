#include "traces/arrival_times.h"

#include <algorithm>
#include <array>

#include "berth/check.h"

namespace berth {
namespace {

constexpr double kHour = 3600;
constexpr double kSlot = 3 * kHour;  // Has one spike
constexpr double kSpikeMin = 60;     // of at least and at most so many seconds,
constexpr double kSpikeMax = 180;
constexpr double kSpikeHeight = 10;  // so many times the mean over the ordinary rate.

constexpr double kSpikeShare = kSpikeHeight * (kSpikeMin + kSpikeMax) / 2 / kSlot;

constexpr int kHoursPerDay = 24;
constexpr int kDaysPerWeek = 7;
constexpr int kFirstWeekendDay = 5;
constexpr double kWeekend = 0.8;
constexpr std::array<double, kHoursPerDay> kByHour = {
    0.70, 0.65, 0.60, 0.58, 0.60, 0.65, 0.75, 0.90, 1.05, 1.20, 1.30, 1.35,
    1.33, 1.32, 1.35, 1.33, 1.28, 1.20, 1.12, 1.05, 1.00, 0.95, 0.88, 0.80};

constexpr double DayFactor(int day) { return day < kFirstWeekendDay ? 1.0 : kWeekend; }

// The mean over a week of what Ordinary gives unscaled.
constexpr double WeekMean() {
  double sum = 0;
  for (int day = 0; day < kDaysPerWeek; ++day) {
    for (const double hour : kByHour) sum += hour * DayFactor(day);
  }
  return sum / (kDaysPerWeek * kHoursPerDay);
}

constexpr double kScale = (1 - kSpikeShare) / WeekMean();

// The rate outside spikes in the given hour since the start, as a multiple of the mean.
double Ordinary(std::uint64_t hour) {
  const auto day = static_cast<int>(hour / kHoursPerDay % kDaysPerWeek);
  return kByHour[hour % kHoursPerDay] * DayFactor(day) * kScale;
}

}  // namespace

ArrivalTimes::ArrivalTimes(double mean_per_second, const Rng& rng)
    : mean_per_second_(mean_per_second), gaps_(rng.Fork("gaps")), spikes_(rng.Fork("spikes")) {
  BERTH_CHECK(mean_per_second > 0);
}

ArrivalTimes::Stretch ArrivalTimes::Now() {
  const auto slot = static_cast<std::uint64_t>(now_s_ / kSlot);
  if (slot != slot_) {
    slot_ = slot;
    Rng rng = spikes_.Fork(slot);
    const double length = kSpikeMin + rng.Unit() * (kSpikeMax - kSpikeMin);
    spike_begin_s_ = static_cast<double>(slot) * kSlot + rng.Unit() * (kSlot - length);
    spike_end_s_ = spike_begin_s_ + length;
  }
  const auto hour = static_cast<std::uint64_t>(now_s_ / kHour);
  double until_s = static_cast<double>(hour + 1) * kHour;  // A slot ends with an hour.
  double height = Ordinary(hour);
  if (now_s_ < spike_begin_s_) {
    until_s = std::min(until_s, spike_begin_s_);
  } else if (now_s_ < spike_end_s_) {
    until_s = std::min(until_s, spike_end_s_);
    height += kSpikeHeight;
  }
  return {.per_second = height * mean_per_second_, .until_s = until_s};
}

// In the time that counts expected arrivals, gaps are exponential with mean 1.
Duration ArrivalTimes::Next() {
  double left = gaps_.Exponential(1);
  for (;;) {
    const Stretch stretch = Now();
    const double expected = (stretch.until_s - now_s_) * stretch.per_second;
    if (left < expected) {
      now_s_ += left / stretch.per_second;
      return Duration(static_cast<std::int64_t>(now_s_ * 1e6));
    }
    left -= expected;
    now_s_ = stretch.until_s;
  }
}

}  // namespace berth
