// Finds the index of a record by its name. The names stay in the records: a table of hashes and
// indices takes a tenth of the room of a map that holds them again, and one cache line a lookup.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/large_vector.h"

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
      if (slot.hash == mixed && is_it(Index{slot.index})) return Index{slot.index};
    }
  }

  // It is not in there yet.
  void Insert(std::size_t hash, Index index) {
    if ((size_ + 1) * 3 > slots_.size() * 2) Grow();
    Put({.hash = Mix(hash), .index = static_cast<std::uint32_t>(index)});
    ++size_;
  }

  // It is in there. What lies behind it moves up, so that no lookup passes over what is gone.
  void Erase(std::size_t hash, Index index) {
    std::size_t hole = Mix(hash) & mask();
    while (slots_[hole].index != static_cast<std::uint32_t>(index)) hole = (hole + 1) & mask();
    for (std::size_t at = (hole + 1) & mask(); slots_[at].index != kFree; at = (at + 1) & mask()) {
      const std::size_t home = slots_[at].hash & mask();
      if (((at - home) & mask()) < ((at - hole) & mask()))
        continue;  // It would not be found there.
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = Slot();
    --size_;
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
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

  void Put(const Slot& slot) {
    std::size_t at = slot.hash & mask();
    while (slots_[at].index != kFree) at = (at + 1) & mask();
    slots_[at] = slot;
  }

  void Grow() {
    const LargeVector<Slot> before = std::move(slots_);
    slots_.assign(std::max(kSlotsMin, before.size() * 2), Slot());
    for (const Slot& slot : before) {
      if (slot.index != kFree) Put(slot);
    }
  }

  LargeVector<Slot> slots_;  // As many as a power of two, or none.
  std::size_t size_ = 0;
};

}  // namespace berth
