// Five minutes of a series: what is kept of the samples that came in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "berth/status.h"
#include "berth/time.h"

namespace berth {

inline constexpr Duration kWindowLength = std::chrono::minutes(5);

// When the window that a moment is in begins: at a multiple of its length since 1970.
Time WindowOf(Time at);

// Whether a time that was read from somewhere is far enough from the ends of time to reckon with.
constexpr bool IsReckonable(Time at) {
  constexpr Duration kFar = std::chrono::hours(24 * 365 * 1000);
  return at.time_since_epoch() > -kFar && at.time_since_epoch() < kFar;
}

struct Window {
  Time begin;
  Time first = {};  // When its first sample was taken,
  Time last;        // and its last.
  std::uint64_t count = 0;
  double sum = 0;
  double min = 0;
  double max = 0;

  double mean() const { return sum / static_cast<double>(count); }
  // Within a window samples come in order: one that is not later than the last was told before, or
  // comes too late. False: it was left out.
  bool Add(Time at, double value);

  friend bool operator==(const Window&, const Window&) = default;
};

std::string Encode(const Window& window);
Result<Window> DecodeWindow(std::string_view bytes);

}  // namespace berth
