// When users send how many requests, as the load model says: counts for buckets of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "appsim/multiverse/quirks.h"
#include "appsim/multiverse/set.h"

namespace berth::multiverse {

class ArrivalBuckets {
 public:
  ArrivalBuckets() = default;
  ArrivalBuckets(std::size_t buckets, std::size_t types)
      : types_(types), counts_(buckets * types, 0) {}

  std::size_t size() const { return types_ == 0 ? 0 : counts_.size() / types_; }
  std::uint32_t& At(std::size_t bucket, std::size_t type) {
    return counts_[bucket * types_ + type];
  }
  std::uint32_t At(std::size_t bucket, std::size_t type) const {
    return counts_[bucket * types_ + type];
  }
  // In the bucket of this number since the start; patterns shorter than that may begin anew.
  std::uint32_t Count(std::size_t bucket, std::size_t type, bool repeats) const {
    if (size() == 0 || (bucket >= size() && !repeats)) return 0;
    return At(bucket % size(), type);
  }

 private:
  std::size_t types_ = 0;
  std::vector<std::uint32_t> counts_;
};

// Of one region. The error names what is too much.
Result<ArrivalBuckets> DrawArrivals(const LoadPattern& pattern, std::size_t request_types,
                                    Duration bucket, const RunSpec& run, Rng& rng);

}  // namespace berth::multiverse
