#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include "base/decimal.h"
#include "base/utf8.h"

namespace berth {
namespace {

constexpr std::size_t kQuotedMax = 60;

struct TimeUnit {
  std::string_view name;
  std::int64_t micros;
};
constexpr std::int64_t kSecond = 1'000'000;
constexpr std::array kTimeUnits = {TimeUnit{"d", 86'400 * kSecond}, TimeUnit{"h", 3'600 * kSecond},
                                   TimeUnit{"m", 60 * kSecond},     TimeUnit{"s", kSecond},
                                   TimeUnit{"ms", 1'000},           TimeUnit{"us", 1}};

// Seconds and less: one unit, to thousandths of it.
std::string FormatShort(std::uint64_t micros, const TimeUnit& unit) {
  const auto size = static_cast<std::uint64_t>(unit.micros);
  std::string text = fmt::format("{}.{:03}", micros / size, micros % size * 1000 / size);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text.append(unit.name);
}

// From the first unit of which there is one on so many, those of which there are none left out.
std::string FormatMicros(std::uint64_t micros, std::size_t units) {
  const auto is_there = [&](const TimeUnit& unit) {
    return micros >= static_cast<std::uint64_t>(unit.micros);
  };
  const auto* unit = std::ranges::find_if(kTimeUnits, is_there);
  if (unit == kTimeUnits.end()) return "0s";
  if (unit->micros <= kSecond) return FormatShort(micros, *unit);
  std::string text;
  for (; units > 0 && unit->micros >= kSecond; --units, ++unit) {
    const auto size = static_cast<std::uint64_t>(unit->micros);
    if (micros < size) continue;
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", micros / size, unit->name);
    micros %= size;
  }
  return text;
}

std::string FormatSigned(Duration duration, std::size_t units) {
  // Negated as unsigned, which even the smallest integer survives.
  const auto bits = static_cast<std::uint64_t>(duration.count());
  return duration.count() < 0 ? "-" + FormatMicros(0 - bits, units) : FormatMicros(bits, units);
}

template <typename T>
Parsed<T> ParseAll(std::string_view text) {
  Parsed<T> parsed;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed.value);
  const bool whole = error != std::errc() || end == text.data() + text.size();
  parsed.error = whole ? error : std::errc::invalid_argument;
  return parsed;
}

}  // namespace

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::size_t EditDistance(std::string_view a, std::string_view b) {
  // distance[j]: from the part of `a` read so far to the first j letters of `b`.
  std::vector<std::size_t> distance(b.size() + 1);
  std::iota(distance.begin(), distance.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = distance[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = distance[j + 1];
      distance[j + 1] = std::min({replaced, diagonal + 1, distance[j] + 1});
    }
  }
  return distance[b.size()];
}

std::string Quoted(std::string_view text) {
  const bool cut = text.size() > kQuotedMax;
  std::string_view shown = text.substr(0, kQuotedMax);
  if (const auto bad = FindMalformedUtf8(shown); cut && bad && *bad + 4 > shown.size()) {
    shown = shown.substr(0, *bad);  // The cut went through a character.
  }
  const bool is_utf8 = !FindMalformedUtf8(shown).has_value();
  std::string quoted = "'";
  for (const char c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    const bool printable = byte >= 0x20 && byte != 0x7f && (byte < 0x80 || is_utf8);
    if (printable) {
      quoted += c;
    } else {
      quoted += fmt::format("\\x{:02x}", byte);
    }
  }
  return quoted.append(cut ? "...'" : "'");
}

std::string FormatDuration(Duration duration) { return FormatSigned(duration, /*units=*/2); }

std::string FormatTime(Time time) {
  constexpr Duration kRehearsalMax = kDurationMax / 4;  // Some 25 years; the calendar is past that.
  const Duration since = time.time_since_epoch();
  if (since < kRehearsalMax) return FormatSigned(since, /*units=*/kTimeUnits.size());
  const auto days = std::chrono::floor<std::chrono::days>(since);
  const std::chrono::year_month_day date{std::chrono::sys_days(days)};
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(since - days));
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

Result<Duration> ParseDuration(std::string_view text) {
  const auto refuse = [text](std::string_view what) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} {}; write it like \"90s\", \"5m\", \"12h\", \"3d\" or \"250ms\"",
                              Quoted(text), what));
  };
  if (text.starts_with('-')) return refuse("is negative");
  const NumberAndUnit parts = SplitUnit(text);
  if (parts.number.empty()) return refuse("is not a length of time");
  if (parts.unit.empty()) return refuse("has no unit of time");
  const auto* const unit = std::find_if(kTimeUnits.begin(), kTimeUnits.end(),
                                        [&](const TimeUnit& u) { return u.name == parts.unit; });
  if (unit == kTimeUnits.end()) return refuse("has an unknown unit of time");
  const Scaled scaled = ScaleExactly(parts.number, unit->micros, kDurationMax.count());
  switch (scaled.outcome) {
    case Scaled::Outcome::kExact:
      return Duration(scaled.value);
    case Scaled::Outcome::kNotANumber:
      return refuse("is not a length of time");
    case Scaled::Outcome::kNotWhole:
      return refuse("is not a whole number of microseconds");
    case Scaled::Outcome::kTooLarge:
      break;
  }
  return refuse("is over a hundred years");
}

Parsed<std::int64_t> ParseInteger(std::string_view text) { return ParseAll<std::int64_t>(text); }

Parsed<double> ParseNumber(std::string_view text) {
  const Parsed<double> parsed = ParseAll<double>(text);
  return std::isfinite(parsed.value) ? parsed
                                     : Parsed<double>{.error = std::errc::invalid_argument};
}

std::string FormatCount(std::int64_t count) {
  std::string text = std::to_string(count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t end = text.size(); end > first + 3;) {
    end -= 3;
    text.insert(end, ",");
  }
  return text;
}

std::string Plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", FormatCount(static_cast<std::int64_t>(count)), noun,
                     count == 1 ? "" : "s");
}

std::string FormatPercent(double share) { return fmt::format("{:.1f} %", 100 * share); }

}  // namespace berth
