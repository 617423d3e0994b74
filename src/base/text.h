// Small text: what messages, configuration and reports share.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "berth/status.h"
#include "berth/time.h"

namespace berth {

// Without the spaces and tabs around it.
std::string_view Trim(std::string_view text);

// The parts between separators: one more than there are separators.
std::vector<std::string_view> Split(std::string_view text, char separator);

// How many letters must be inserted, removed or replaced to make one of the other.
std::size_t EditDistance(std::string_view a, std::string_view b);

// The text as a message shows it: in single quotes, cut when long, nothing unprintable.
std::string Quoted(std::string_view text);

// For people, to two units: "3d 4h", "3h 12m", "1.25s", "250ms", "-5m".
std::string FormatDuration(Duration duration);

// Live "2026-11-15 13:45:21" (UTC); in rehearsal, which begins at zero, how long since then,
// to the second: "208d 8h 5m".
std::string FormatTime(Time time);

// "90s", "5m", "12h", "3d", "250ms", "10us", "1.5h". Exact or refused, and never negative.
Result<Duration> ParseDuration(std::string_view text);
inline constexpr Duration kDurationMax = std::chrono::hours(24) * 36'500;

// All of the text as a number. The error is none, invalid_argument or result_out_of_range.
template <typename T>
struct Parsed {
  T value{};
  std::errc error{};
};
Parsed<std::int64_t> ParseInteger(std::string_view text);
Parsed<double> ParseNumber(std::string_view text);  // Finite.

// "12,345".
std::string FormatCount(std::int64_t count);
template <std::unsigned_integral T>
std::string FormatCount(T count) {
  return FormatCount(static_cast<std::int64_t>(count));
}
// "1 move", "12,345 moves".
std::string Plural(std::uint64_t count, std::string_view noun);
// "12.3 %".
std::string FormatPercent(double share);

}  // namespace berth
