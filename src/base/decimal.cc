#include "base/decimal.h"

#include "berth/check.h"

namespace berth {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t kFractionDigitsMax = 18;
constexpr std::int64_t kScaleMax = std::int64_t{1} << 50;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool AllDigits(std::string_view text) {
  for (const char c : text) {
    if (!IsDigit(c)) return false;
  }
  return !text.empty();
}

}  // namespace

NumberAndUnit SplitUnit(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (IsDigit(text[end]) || text[end] == '.')) ++end;
  return {.number = text.substr(0, end), .unit = text.substr(end)};
}

Scaled ScaleExactly(std::string_view number, std::int64_t scale, std::int64_t max) {
  using enum Scaled::Outcome;
  BERTH_CHECK(scale > 0 && scale <= kScaleMax && max >= 0);
  const std::size_t point = number.find('.');
  std::string_view fraction;
  if (point != std::string_view::npos) {
    fraction = number.substr(point + 1);
    if (!AllDigits(fraction)) return {.outcome = kNotANumber};
    number = number.substr(0, point);
  }
  if (!AllDigits(number)) return {.outcome = kNotANumber};

  const Wide limit = static_cast<Wide>(max);
  Wide whole = 0;
  for (const char digit : number) {
    whole = whole * 10 + static_cast<Wide>(digit - '0');
    if (whole > limit) return {.outcome = kTooLarge};
  }
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  if (fraction.size() > kFractionDigitsMax) return {.outcome = kNotWhole};
  Wide part = 0;
  Wide power = 1;
  for (const char digit : fraction) {
    part = part * 10 + static_cast<Wide>(digit - '0');
    power *= 10;
  }
  part *= static_cast<Wide>(scale);
  if (part % power != 0) return {.outcome = kNotWhole};

  const Wide value = whole * static_cast<Wide>(scale) + part / power;
  if (value > limit) return {.outcome = kTooLarge};
  return {.outcome = kExact, .value = static_cast<std::int64_t>(value)};
}

}  // namespace berth
