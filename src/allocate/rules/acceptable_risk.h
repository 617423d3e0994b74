// How probable a violation may be: the threshold theta.
#pragma once

#include <cstdint>

#include "allocate/points.h"
#include "base/fields.h"
#include "fleet/file_parts.h"

namespace berth {

// In millionths. The option `theta`: "0.01" or "1%".
inline std::uint32_t ReadTheta(Fields& options) {
  constexpr std::uint32_t kUsual = 10'000;
  const auto node = options.Optional("theta");
  if (!node) return kUsual;
  const Result<std::int64_t> theta =
      ReadShare(*node, {.whole = kPointsMax, .min = 1, .max = kPointsMax});
  options.Check(theta.status());
  return theta.ok() ? static_cast<std::uint32_t>(theta.value()) : kUsual;
}

}  // namespace berth
