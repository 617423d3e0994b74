// A vector for tables of many megabytes that are read in no order: on huge pages where the system
// has them, so that finding a page costs less than what is read from it.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace berth {

// Asks for huge pages; whoever gets none has ordinary ones.
void* AllocateLarge(std::size_t bytes);
void FreeLarge(void* memory, std::size_t bytes);

template <typename T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <typename U>
  LargeAllocator(const LargeAllocator<U>& /*other*/) {}  // NOLINT: containers convert it.

  T* allocate(std::size_t count) {
    static_assert(alignof(T) <= alignof(std::max_align_t));
    return static_cast<T*>(AllocateLarge(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t count) { FreeLarge(memory, count * sizeof(T)); }

  template <typename U>
  friend bool operator==(const LargeAllocator& /*a*/, const LargeAllocator<U>& /*b*/) {
    return true;
  }
};

template <typename T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace berth
