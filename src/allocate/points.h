// Shares as integer points, so that scores compare exactly and alike everywhere.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "berth/resources.h"

namespace berth {

// Scores are points from 0 (best) to this.
inline constexpr std::uint32_t kPointsMax = 1'000'000;

// part/whole in points, 0 to kPointsMax. The operands are shifted so that the product fits; the
// loss is far below a point.
constexpr std::uint32_t ShareInPoints(std::int64_t part, std::int64_t whole) {
  if (whole <= 0 || part <= 0) return 0;
  const int excess =
      std::max(0, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(whole))) - 42);
  const std::int64_t share = (std::min(part, whole) >> excess) * kPointsMax / (whole >> excess);
  return static_cast<std::uint32_t>(share);
}

// The same with the division done before: the whole's points per unit, once per machine, then a
// multiplication per ask. Both round alike on every machine: IEEE basic operations.
constexpr double PointsPerUnit(std::int64_t whole) {
  return whole > 0 ? static_cast<double>(kPointsMax) / static_cast<double>(whole) : 0.0;
}
constexpr std::uint32_t SharePoints(std::int64_t part, double points_per_unit) {
  if (part <= 0) return 0;
  const double points = static_cast<double>(part) * points_per_unit;
  return points >= kPointsMax ? kPointsMax : static_cast<std::uint32_t>(points);
}

// The share of a sum's resource that is allocated.
inline std::uint32_t AllocatedShare(const ResourceTotals& allocated, const ResourceTotals& capacity,
                                    Resource resource) {
  const auto whole = static_cast<double>(capacity[resource]);
  if (whole <= 0) return 0;
  const double share = static_cast<double>(allocated[resource]) / whole;
  return static_cast<std::uint32_t>(std::clamp(share, 0.0, 1.0) * kPointsMax);
}

// ceil(S*N): which of N buckets a score falls in, 0 only for a perfect one.
constexpr std::uint32_t Bucket(std::uint32_t points, std::uint32_t buckets) {
  return static_cast<std::uint32_t>((std::uint64_t{points} * buckets + kPointsMax - 1) /
                                    kPointsMax);
}

}  // namespace berth
