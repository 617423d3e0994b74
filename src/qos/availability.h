// What an instance was promised and what it got ("QoS-driven scheduling in the cloud", Eqs. 1-7).
//
// Its leeway, the paper's Q, is how long it may still wait before its promise breaks, the expected
// time of an allocation taken off; negative if it is broken already. Eqs. 3 and 6 are one formula,
//
//   Q = ran / target - (ran + waited) - allocation time
//
// and times the target, in millionths, it is a whole number: so it is kept, and leeways of two
// targets are compared by cross-multiplication. Nothing is rounded and nothing drifts. The paper
// gives a new request Q = 0 and works it out anew before the queue is sorted: having neither run
// nor waited, it then has minus the allocation time, as the authors' logs show too.
#pragma once

#include <compare>
#include <cstdint>

#include "berth/resources.h"
#include "berth/time.h"

namespace berth {

using Wide = ResourceTotals::Wide;

inline constexpr std::int64_t kWholePpm = 1'000'000;

// An instance's time so far. What is spent on allocating it anew after its first start is waiting.
struct Delivered {
  Duration ran{};
  Duration waited{};

  friend bool operator==(const Delivered&, const Delivered&) = default;
};

// Eq. 1; whole for who had no time yet.
inline double Availability(const Delivered& delivered) {
  const double ran = static_cast<double>(delivered.ran.count());
  const double waited = static_cast<double>(delivered.waited.count());
  if (ran + waited <= 0) return 1;
  return ran <= 0 ? 0 : ran / (ran + waited);
}

inline bool Fulfils(const Delivered& delivered, std::uint32_t target_ppm) {
  const Wide all = Wide{delivered.ran.count()} + delivered.waited.count();
  return Wide{delivered.ran.count()} * kWholePpm >= all * target_ppm;
}

struct Leeway {
  Wide scaled = 0;  // Microseconds times the target in millionths.
  std::uint32_t target_ppm = 1;

  double Micros() const { return static_cast<double>(scaled) / target_ppm; }
  // Whole microseconds, towards less.
  Duration Floor() const {
    const Wide whole = scaled / target_ppm;
    const bool less = scaled < 0 && scaled % target_ppm != 0;
    return Duration(static_cast<std::int64_t>(less ? whole - 1 : whole));
  }
  Leeway Minus(Duration margin) const {
    return {scaled - Wide{margin.count()} * target_ppm, target_ppm};
  }

  friend std::strong_ordering operator<=>(const Leeway& a, const Leeway& b) {
    if (a.target_ppm == b.target_ppm) return a.scaled <=> b.scaled;
    return a.scaled * b.target_ppm <=> b.scaled * a.target_ppm;
  }
  friend bool operator==(const Leeway& a, const Leeway& b) { return (a <=> b) == 0; }
};

inline bool AtLeast(const Leeway& leeway, Duration margin) {
  return leeway.scaled >= Wide{margin.count()} * leeway.target_ppm;
}

inline Leeway LeewayOf(const Delivered& delivered, std::uint32_t target_ppm,
                       Duration allocation_time) {
  const Wide ran = delivered.ran.count();
  const Wide spent = ran + delivered.waited.count() + allocation_time.count();
  return {ran * kWholePpm - spent * target_ppm, target_ppm};
}

// While an instance runs its leeway grows by 1/target - 1 a second, while it waits it falls by one.
// These are what stays the same meanwhile: among those of one target that run, and among those that
// wait, they give the order of leeways at any time.
inline Wide RunningKey(const Leeway& leeway, Time now) {
  return leeway.scaled - Wide{ToMicros(now)} * (kWholePpm - leeway.target_ppm);
}
inline Wide WaitingKey(const Leeway& leeway, Time now) {
  return leeway.scaled + Wide{ToMicros(now)} * leeway.target_ppm;
}
inline Leeway FromRunningKey(Wide key, std::uint32_t target_ppm, Time now) {
  return {key + Wide{ToMicros(now)} * (kWholePpm - target_ppm), target_ppm};
}
inline Leeway FromWaitingKey(Wide key, std::uint32_t target_ppm, Time now) {
  return {key - Wide{ToMicros(now)} * target_ppm, target_ppm};
}

}  // namespace berth
