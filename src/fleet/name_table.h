// Finds the index of a record by its name. The names stay in the records: a table of hashes and
// indices takes a tenth of the room of a map that holds them again, and one cache line a lookup.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace berth {

// Open addressing with linear probing. The caller hashes, and tells whether an index is the one
// that it means.
template <typename Index>
class NameTable {
 public:
  template <typename IsIt>
  std::optional<Index> Find(std::size_t hash, IsIt&& is_it) const {
    if (slots_.empty()) return std::nullopt;
    const std::uint32_t mixed = Mix(hash);
    for (std::size_t at = mixed & mask();; at = (at + 1) & mask()) {
      const Slot& slot = slots_[at];
      if (slot.index == kFree) return std::nullopt;
      if (slot.hash == mixed && slot.index != kGone && is_it(Index{slot.index})) {
        return Index{slot.index};
      }
    }
  }

  // It is not in there yet.
  void Insert(std::size_t hash, Index index) {
    if ((used_ + 1) * 4 > slots_.size() * 3) Rebuild();
    Put(Mix(hash), static_cast<std::uint32_t>(index));
    ++size_;
  }

  // It is in there.
  void Erase(std::size_t hash, Index index) {
    std::size_t at = Mix(hash) & mask();
    while (slots_[at].index != static_cast<std::uint32_t>(index)) at = (at + 1) & mask();
    slots_[at].index = kGone;
    --size_;
    // What nothing lies beyond need not be looked over.
    if (slots_[(at + 1) & mask()].index != kFree) return;
    for (; slots_[at].index == kGone; at = (at - 1) & mask()) {
      slots_[at].index = kFree;
      --used_;
    }
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  static constexpr std::uint32_t kGone = UINT32_MAX - 1;
  static constexpr std::size_t kSlotsMin = 16;
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t index = kFree;
  };

  // Spreads what is alike in its low bits, as addresses are.
  static std::uint32_t Mix(std::size_t hash) {
    return static_cast<std::uint32_t>((hash * 0x9e3779b97f4a7c15ULL) >> 32);
  }
  std::size_t mask() const { return slots_.size() - 1; }

  void Put(std::uint32_t mixed, std::uint32_t index) {
    std::size_t at = mixed & mask();
    while (slots_[at].index != kFree && slots_[at].index != kGone) at = (at + 1) & mask();
    if (slots_[at].index == kFree) ++used_;
    slots_[at] = {.hash = mixed, .index = index};
  }

  void Rebuild() {
    const std::vector<Slot> before = std::move(slots_);
    std::size_t slots = kSlotsMin;
    while (slots < size_ * 2) slots *= 2;
    slots_.assign(slots, Slot());
    used_ = 0;
    for (const Slot& slot : before) {
      if (slot.index != kFree && slot.index != kGone) Put(slot.hash, slot.index);
    }
  }

  std::vector<Slot> slots_;  // As many as a power of two, or none.
  std::size_t size_ = 0;
  std::size_t used_ = 0;  // Slots that are not free.
};

}  // namespace berth
