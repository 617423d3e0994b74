// The values that a method remembers whose answer depends on all of them, a little on the oldest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace berth {

// All that it was fitted to and what came after; the oldest are dropped, but so many of the latest
// always stay, and as many as it was fitted to.
inline constexpr std::size_t kRememberedMin = 2'000;

class RememberedValues {
 public:
  explicit RememberedValues(std::span<const double> fitted_to)
      : kept_(std::max(fitted_to.size(), kRememberedMin)),
        values_(fitted_to.begin(), fitted_to.end()) {}

  // Drops many at once, so that one update costs little.
  void Add(double value) {
    values_.push_back(value);
    if (values_.size() < 2 * kept_) return;
    values_.erase(values_.begin(), values_.end() - static_cast<std::ptrdiff_t>(kept_));
  }

  const std::vector<double>& values() const { return values_; }

 private:
  std::size_t kept_;
  std::vector<double> values_;
};

}  // namespace berth
