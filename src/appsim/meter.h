// The mean of amounts over time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace berth {

template <std::size_t kSize>
class Meter {
 public:
  using Amounts = std::array<std::int64_t, kSize>;

  const Amounts& now() const { return now_; }
  void Add(std::int64_t at, const Amounts& amounts) {
    Touch(at);
    for (std::size_t i = 0; i < kSize; ++i) now_[i] += amounts[i];
  }
  void Subtract(std::int64_t at, const Amounts& amounts) {
    Touch(at);
    for (std::size_t i = 0; i < kSize; ++i) now_[i] -= amounts[i];
  }
  // Amount times microseconds since it was last asked.
  std::array<double, kSize> Take(std::int64_t at) {
    Touch(at);
    return std::exchange(sums_, {});
  }

 private:
  void Touch(std::int64_t at) {
    const auto passed = static_cast<double>(at - touched_);
    for (std::size_t i = 0; i < kSize; ++i) sums_[i] += static_cast<double>(now_[i]) * passed;
    touched_ = at;
  }

  Amounts now_{};
  std::array<double, kSize> sums_{};
  std::int64_t touched_ = 0;
};

}  // namespace berth
