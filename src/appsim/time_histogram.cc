#include "appsim/time_histogram.h"

#include <algorithm>
#include <cmath>

#include "berth/check.h"

namespace berth {

void TimeHistogram::Add(const TimeHistogram& other) {
  counts_.resize(std::max(counts_.size(), other.counts_.size()));
  for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
}

std::map<std::size_t, std::uint64_t> TimeHistogram::Filled() const {
  std::map<std::size_t, std::uint64_t> filled;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] > 0) filled.emplace(i, counts_[i]);
  }
  return filled;
}

void TimeHistogram::AddToBucket(std::size_t bucket, std::uint64_t count) {
  counts_.resize(std::max(counts_.size(), bucket + 1));
  counts_[bucket] += count;
  count_ += count;
}

std::int64_t TimeHistogram::BeginOf(std::size_t bucket) {
  constexpr std::size_t kLinear = std::size_t{2} << kBits;
  if (bucket < kLinear) return static_cast<std::int64_t>(bucket);
  const std::size_t above = (bucket >> kBits) - 1;
  return static_cast<std::int64_t>((bucket - (above << kBits)) << above);
}

double TimeHistogram::Quantile(double q) const {
  BERTH_CHECK(count_ > 0 && q >= 0 && q <= 1);
  const auto rank =
      static_cast<std::uint64_t>(std::max(1.0, std::ceil(q * static_cast<double>(count_))));
  std::uint64_t below = 0;
  std::size_t bucket = 0;
  while (below + counts_[bucket] < rank) below += counts_[bucket++];
  const std::int64_t last = BeginOf(bucket + 1) - 1;
  return static_cast<double>(BeginOf(bucket) + last) / 2;
}

std::uint64_t TimeHistogram::CountUpTo(std::int64_t micros) const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < counts_.size() && BeginOf(i + 1) - 1 <= micros; ++i) {
    sum += counts_[i];
  }
  return sum;
}

}  // namespace berth
