// What the instances of one service took in five minutes: how many samples fell into each bucket.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "usage/buckets.h"

namespace berth {

class WindowHistogram {
 public:
  struct Count {
    UsageBucket bucket = 0;
    std::uint32_t samples = 0;

    friend bool operator==(const Count&, const Count&) = default;
  };

  void Add(UsageBucket bucket, std::uint32_t samples = 1);
  // What another instance took in the same five minutes.
  void Add(const WindowHistogram& other);
  void Clear();

  // By bucket, none of them empty.
  std::span<const Count> counts() const { return counts_; }
  std::uint64_t samples() const { return samples_; }
  bool empty() const { return samples_ == 0; }
  // The highest that is not empty; there must be one.
  UsageBucket peak() const { return counts_.back().bucket; }
  // Of what the buckets stand for; there must be a sample.
  double Mean(const Buckets& buckets) const;

 private:
  std::vector<Count> counts_;
  std::uint64_t samples_ = 0;
};

}  // namespace berth
