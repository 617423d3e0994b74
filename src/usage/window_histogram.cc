#include "usage/window_histogram.h"

#include <algorithm>

namespace berth {

void WindowHistogram::Add(UsageBucket bucket, std::uint32_t samples) {
  if (samples == 0) return;
  samples_ += samples;
  auto at = std::ranges::lower_bound(counts_, bucket, {}, &Count::bucket);
  if (at == counts_.end() || at->bucket != bucket) at = counts_.insert(at, {bucket, 0});
  at->samples += samples;
}

void WindowHistogram::Add(const WindowHistogram& other) {
  for (const Count& count : other.counts_) Add(count.bucket, count.samples);
}

void WindowHistogram::Clear() {
  counts_.clear();
  samples_ = 0;
}

double WindowHistogram::Mean(const Buckets& buckets) const {
  double sum = 0;
  for (const Count& count : counts_) {
    sum += static_cast<double>(buckets.bound(count.bucket)) * count.samples;
  }
  return sum / static_cast<double>(samples_);
}

}  // namespace berth
