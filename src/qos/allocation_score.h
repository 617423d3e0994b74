// How well a host would be filled: the mean of Kubernetes' least requested and balanced allocation,
// over cpu and memory (section 4.1.2).
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "berth/resources.h"

namespace berth {

inline constexpr std::int64_t kFullPoints = std::int64_t{1} << 20;

// The share of the capacity that is requested, in points. What a host has none of is full.
inline std::int64_t RequestedPoints(std::int64_t requested, std::int64_t capacity) {
  if (capacity <= 0) return kFullPoints;
  return static_cast<std::int64_t>(static_cast<double>(requested) / static_cast<double>(capacity) *
                                   static_cast<double>(kFullPoints));
}

struct HostFill {
  std::int64_t cpu_points = 0;
  std::int64_t memory_points = 0;

  std::int64_t Sum() const { return cpu_points + memory_points; }
  std::int64_t Imbalance() const { return cpu_points - memory_points; }
};

inline HostFill FillOf(const Resources& requested, const Resources& capacity) {
  return {RequestedPoints(requested[Resource::kCpu], capacity[Resource::kCpu]),
          RequestedPoints(requested[Resource::kMemory], capacity[Resource::kMemory])};
}

// Four times what the mean falls short of its best; whole, so that ties are ties. With shares c and
// m, least requested is 1 - (c + m)/2, balanced allocation 1 - |c - m|. Smaller is better.
inline std::int64_t ScoreShortfall(const HostFill& fill) {
  return fill.Sum() + 2 * std::abs(fill.Imbalance());
}

}  // namespace berth
