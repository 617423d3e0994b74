// Shares as integer points, so that scores compare exactly and alike everywhere.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "allocate/rule.h"

namespace berth {

// part/whole in points, 0 to kPointsMax. The operands are shifted so that the product fits; the
// loss is far below a point.
constexpr std::uint32_t ShareInPoints(std::int64_t part, std::int64_t whole) {
  if (whole <= 0 || part <= 0) return 0;
  const int excess =
      std::max(0, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(whole))) - 42);
  const std::int64_t share = (std::min(part, whole) >> excess) * kPointsMax / (whole >> excess);
  return static_cast<std::uint32_t>(share);
}

// The share of a cluster's cpu that is allocated.
inline std::uint32_t AllocatedShare(const ClusterState& cluster) {
  const auto capacity = static_cast<double>(cluster.capacity[Resource::kCpu]);
  if (capacity <= 0) return 0;
  const double share = static_cast<double>(cluster.allocated[Resource::kCpu]) / capacity;
  return static_cast<std::uint32_t>(std::clamp(share, 0.0, 1.0) * kPointsMax);
}

// ceil(S*N): which of N buckets a score falls in, 0 only for a perfect one.
constexpr std::uint32_t Bucket(std::uint32_t points, std::uint32_t buckets) {
  return static_cast<std::uint32_t>((std::uint64_t{points} * buckets + kPointsMax - 1) /
                                    kPointsMax);
}

}  // namespace berth
