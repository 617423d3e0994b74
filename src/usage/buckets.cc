#include "usage/buckets.h"

#include <algorithm>
#include <cmath>

namespace berth {

Buckets::Buckets(std::int64_t first) {
  double bound = static_cast<double>(first);
  std::int64_t last = 0;
  for (std::int64_t& each : bounds_) {
    each = std::max(last + 1, static_cast<std::int64_t>(std::ceil(bound)));
    last = each;
    bound *= kGrowth;
  }
}

const Buckets& Buckets::Of(Resource resource) {
  static const Buckets kMillicores(2);
  static const Buckets kBytes(std::int64_t{4} << 20);
  return resource == Resource::kCpu ? kMillicores : kBytes;
}

UsageBucket Buckets::Find(double usage) const {
  const auto last = bounds_.end() - 1;
  const auto found = std::partition_point(bounds_.begin(), last, [&](std::int64_t bound) {
    return static_cast<double>(bound) <= usage;
  });
  return static_cast<UsageBucket>(found - bounds_.begin());
}

}  // namespace berth
