#include "base/timestamp.h"

#include <chrono>

namespace berth {
namespace {

// Two digits at `at`, or -1.
int TwoDigits(std::string_view text, std::size_t at) {
  const auto digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
  if (!digit(at) || !digit(at + 1)) return -1;
  return (text[at] - '0') * 10 + (text[at + 1] - '0');
}

}  // namespace

std::optional<std::int64_t> ParseTimestamp(std::string_view text) {
  if (text.ends_with('Z')) text.remove_suffix(1);
  if (text.size() != 16 && text.size() != 19) return std::nullopt;
  if (text[4] != '-' || text[7] != '-' || (text[10] != ' ' && text[10] != 'T')) return std::nullopt;
  if (text[13] != ':' || (text.size() == 19 && text[16] != ':')) return std::nullopt;
  const int century = TwoDigits(text, 0), year = TwoDigits(text, 2), month = TwoDigits(text, 5);
  const int day = TwoDigits(text, 8), hour = TwoDigits(text, 11), minute = TwoDigits(text, 14);
  const int second = text.size() == 19 ? TwoDigits(text, 17) : 0;
  if (century < 0 || year < 0 || month < 0 || day < 0) return std::nullopt;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(century * 100 + year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return ((days * 24 + hour) * 60 + minute) * 60 + second;
}

}  // namespace berth
