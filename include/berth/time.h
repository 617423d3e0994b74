// Time is an integer we are handed: microseconds since the Unix epoch live, since zero in
// rehearsal.
#pragma once

#include <chrono>
#include <cstdint>

namespace berth {

using Duration = std::chrono::duration<std::int64_t, std::micro>;

// The clock behind Time. It has no now(): whoever needs the time is given an Executor.
struct GivenClock {
  using rep = Duration::rep;
  using period = Duration::period;
  using duration = Duration;
  using time_point = std::chrono::time_point<GivenClock, Duration>;
  static constexpr bool is_steady = false;
};
using Time = GivenClock::time_point;

constexpr Time TimeFromMicros(std::int64_t micros) { return Time(Duration(micros)); }
constexpr std::int64_t ToMicros(Time time) { return time.time_since_epoch().count(); }

}  // namespace berth
