// Exact decimals with units: "1.5Gi" is a number and a unit, and so many whole bytes or an error.
#pragma once

#include <cstdint>
#include <string_view>

namespace berth {

struct NumberAndUnit {
  std::string_view number;  // The leading digits and points.
  std::string_view unit;    // The rest.
};
NumberAndUnit SplitUnit(std::string_view text);

struct Scaled {
  enum class Outcome : std::uint8_t { kExact, kNotANumber, kNotWhole, kTooLarge };
  Outcome outcome = Outcome::kExact;
  std::int64_t value = 0;  // Only if exact.
};

// number * scale, if it is a whole number of at most `max`. Scales are up to 2^50, fractions up to
// 18 digits; what has more counts as not whole.
Scaled ScaleExactly(std::string_view number, std::int64_t scale, std::int64_t max);

}  // namespace berth
