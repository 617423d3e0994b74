// The scale on which usage is counted: four hundred buckets, each 3.5% above the one before, from a
// few millicores to some thousand cores, and from a few megabytes to some terabytes. A bucket
// stands for its upper bound, so what is read off a histogram is at most 3.5% too much, never too
// little.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "berth/resources.h"

namespace berth {

using UsageBucket = std::uint16_t;

class Buckets {
 public:
  static constexpr std::size_t kCount = 400;
  static constexpr double kGrowth = 1.035;

  // The first bucket ends at `first`, in the resource's unit.
  explicit Buckets(std::int64_t first);
  // Of cpu in millicores, of anything else in bytes.
  static const Buckets& Of(Resource resource);

  // The bucket b with bound(b-1) <= usage < bound(b). The last takes all that is more.
  UsageBucket Find(double usage) const;
  std::int64_t bound(UsageBucket bucket) const { return bounds_[bucket]; }

 private:
  std::array<std::int64_t, kCount> bounds_;
};

}  // namespace berth
