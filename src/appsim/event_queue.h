// What is to happen next. Time, order and what are packed into one number of 128 bits, so that
// comparing two events is comparing two numbers; a heap with four children a node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "berth/check.h"

namespace berth {

struct AppEvent {
  std::int64_t at = 0;  // Microseconds.
  // Events of one time happen in this order, and of one order by `what`.
  std::uint64_t order = 0;
  std::uint32_t what = 0;
};

class EventQueue {
 public:
  static constexpr int kAtBits = 48;  // Nine years.
  static constexpr int kOrderBits = 48;
  static constexpr std::int64_t kAtMax = (std::int64_t{1} << kAtBits) - 1;

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }

  AppEvent Top() const {
    const Key key = heap_.front();
    return {.at = static_cast<std::int64_t>(key >> (kOrderBits + 32)),
            .order = static_cast<std::uint64_t>(key >> 32) & ((std::uint64_t{1} << kOrderBits) - 1),
            .what = static_cast<std::uint32_t>(key)};
  }

  void Push(const AppEvent& event) {
    BERTH_CHECK(event.at >= 0 && event.at <= kAtMax && event.order >> kOrderBits == 0);
    const Key key = static_cast<Key>(static_cast<std::uint64_t>(event.at)) << (kOrderBits + 32) |
                    static_cast<Key>(event.order) << 32 | event.what;
    std::size_t hole = heap_.size();
    heap_.push_back(key);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / kChildren;
      if (heap_[parent] < key) break;
      heap_[hole] = heap_[parent];
      hole = parent;
    }
    heap_[hole] = key;
  }

  void Pop() {
    const Key last = heap_.back();
    heap_.pop_back();
    const std::size_t size = heap_.size();
    if (size == 0) return;
    std::size_t hole = 0;
    for (std::size_t child = 1; child < size; child = hole * kChildren + 1) {
      std::size_t least = child;
      const std::size_t end = child + kChildren < size ? child + kChildren : size;
      for (std::size_t other = child + 1; other < end; ++other) {
        if (heap_[other] < heap_[least]) least = other;
      }
      if (last < heap_[least]) break;
      heap_[hole] = heap_[least];
      hole = least;
    }
    heap_[hole] = last;
  }

 private:
  __extension__ using Key = unsigned __int128;
  static constexpr std::size_t kChildren = 4;

  std::vector<Key> heap_;
};

}  // namespace berth
