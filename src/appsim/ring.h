// A queue in one piece of memory that grows and does not shrink: std::deque allocates as it moves.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace berth {

template <typename T>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  const T& front() const { return slots_[first_]; }

  void push(const T& item) {
    if (size_ == slots_.size()) Grow();
    slots_[(first_ + size_++) & (slots_.size() - 1)] = item;
  }
  void pop() {
    first_ = (first_ + 1) & (slots_.size() - 1);
    --size_;
  }

 private:
  void Grow() {
    std::vector<T> larger(slots_.empty() ? 16 : 2 * slots_.size());
    for (std::size_t i = 0; i < size_; ++i) larger[i] = slots_[(first_ + i) & (slots_.size() - 1)];
    slots_ = std::move(larger);
    first_ = 0;
  }

  std::vector<T> slots_;  // A power of two of them.
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace berth
