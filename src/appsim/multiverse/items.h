// Requests and responses on their way, in one pool. Copies of a request for several services are
// items of their own with the same id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "appsim/multiverse/quantities.h"

namespace berth::multiverse {

using ItemIndex = std::uint32_t;

// Times in microseconds.
struct Item {
  std::uint64_t id = 0;
  std::size_t request = 0;
  std::size_t service = 0;  // That it goes to, waits at or is worked on by.
  std::uint32_t batch = 1;  // Requests that it stands for.
  std::size_t replies_expected = 1;
  bool upstream = true;
  std::int64_t accumulated = 0;  // Charged to it so far; not what has passed.
  std::int64_t network = 0;
  std::int64_t waited = 0;
  std::int64_t left = 0;  // On a link, or of the work.
  Amounts need{};
  double bytes = 0;
};

class ItemPool {
 public:
  explicit ItemPool(std::size_t services) : services_(services) {}

  ItemIndex New() {
    if (free_.empty()) {
      items_.emplace_back();
      waited_.resize(items_.size() * services_, 0);
      return static_cast<ItemIndex>(items_.size() - 1);
    }
    const ItemIndex index = free_.back();
    free_.pop_back();
    items_[index] = Item{};
    for (std::size_t i = 0; i < services_; ++i) WaitedAt(index, i) = 0;
    return index;
  }
  ItemIndex Copy(ItemIndex from) {
    const ItemIndex to = New();
    items_[to] = items_[from];
    for (std::size_t i = 0; i < services_; ++i) WaitedAt(to, i) = WaitedAt(from, i);
    return to;
  }
  void Free(ItemIndex index) { free_.push_back(index); }

  Item& operator[](ItemIndex index) { return items_[index]; }
  const Item& operator[](ItemIndex index) const { return items_[index]; }
  // In the buffers of one service, on the way there and back.
  std::int64_t& WaitedAt(ItemIndex index, std::size_t service) {
    return waited_[index * services_ + service];
  }
  std::size_t in_use() const { return items_.size() - free_.size(); }

 private:
  std::size_t services_;
  std::vector<Item> items_;
  std::vector<std::int64_t> waited_;
  std::vector<ItemIndex> free_;
};

}  // namespace berth::multiverse
