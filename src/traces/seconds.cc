#include "traces/seconds.h"

#include <fmt/format.h>

#include "base/decimal.h"
#include "base/text.h"

namespace berth {
namespace {

constexpr std::int64_t kMicrosPerSecond = 1'000'000;

}  // namespace

Result<Duration> ParseSeconds(std::string_view text) {
  const std::string_view number = Trim(text);
  if (number.starts_with('-')) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} is negative; write seconds from 0 on", Quoted(number)));
  }
  const Scaled micros = ScaleExactly(number, kMicrosPerSecond, kDurationMax.count());
  std::string_view wrong;
  switch (micros.outcome) {
    case Scaled::Outcome::kExact:
      return Duration(micros.value);
    case Scaled::Outcome::kNotANumber:
      wrong = "is not a number; write seconds, such as 12.5";
      break;
    case Scaled::Outcome::kNotWhole:
      wrong = "is finer than a microsecond; write at most six decimals";
      break;
    case Scaled::Outcome::kTooLarge:
      wrong = "is over 100 years; write seconds";
      break;
  }
  return Status(Code::kInvalidArgument, fmt::format("{} {}", Quoted(number), wrong));
}

std::string FormatSeconds(Duration duration) {
  const std::int64_t micros = duration.count();
  if (micros % kMicrosPerSecond == 0) return fmt::format("{}", micros / kMicrosPerSecond);
  std::string text = fmt::format("{}.{:06}", micros / kMicrosPerSecond, micros % kMicrosPerSecond);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

}  // namespace berth
