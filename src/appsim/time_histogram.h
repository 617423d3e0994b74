// Times in microseconds, counted in buckets that are less than a hundredth of their value wide.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace berth {

class TimeHistogram {
 public:
  void Add(std::int64_t micros) {
    const std::size_t bucket = BucketOf(micros);
    if (bucket >= counts_.size()) counts_.resize(bucket + 1);
    ++counts_[bucket];
    ++count_;
  }
  void Add(const TimeHistogram& other);

  // For those that keep it: how many are in each bucket that is not empty.
  std::map<std::size_t, std::uint64_t> Filled() const;
  void AddToBucket(std::size_t bucket, std::uint64_t count);

  std::uint64_t count() const { return count_; }
  // The middle of the bucket of the nearest-rank quantile; there must be a time.
  double Quantile(double q) const;
  // How many are in buckets that end at this time or before.
  std::uint64_t CountUpTo(std::int64_t micros) const;

 private:
  static constexpr int kBits = 7;  // Each doubling is cut into so many bits' worth of buckets.

  static std::size_t BucketOf(std::int64_t micros) {
    const auto value = static_cast<std::uint64_t>(micros);
    const int above = static_cast<int>(std::bit_width(value)) - kBits - 1;
    if (above <= 0) return value;
    return (static_cast<std::size_t>(above) << kBits) + (value >> above);
  }
  static std::int64_t BeginOf(std::size_t bucket);

  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
};

}  // namespace berth
