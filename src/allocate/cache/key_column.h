// Keys of many machines, in half the room where the policy's preferences need few bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "allocate/policy.h"

namespace berth {

class KeyColumn {
 public:
  // Keys of so many bits, and kNoKey.
  explicit KeyColumn(int bits) : narrow_(bits < 32) {}

  void assign(std::size_t size, std::uint64_t key) {
    narrow_ ? narrow_keys_.assign(size, static_cast<std::uint32_t>(key))
            : wide_keys_.assign(size, key);
  }
  std::size_t size() const { return narrow_ ? narrow_keys_.size() : wide_keys_.size(); }
  bool empty() const { return size() == 0; }

  std::uint64_t operator[](std::size_t at) const {
    if (!narrow_) return wide_keys_[at];
    return narrow_keys_[at] == kNarrowNoKey ? kNoKey : narrow_keys_[at];
  }
  void Set(std::size_t at, std::uint64_t key) {
    if (narrow_) {
      narrow_keys_[at] = static_cast<std::uint32_t>(key);
    } else {
      wide_keys_[at] = key;
    }
  }

  std::size_t bytes() const { return narrow_keys_.capacity() * 4 + wide_keys_.capacity() * 8; }

 private:
  // What kNoKey is cut to. No key of fewer than 32 bits is it.
  static constexpr auto kNarrowNoKey = static_cast<std::uint32_t>(kNoKey);

  bool narrow_;
  std::vector<std::uint32_t> narrow_keys_;
  std::vector<std::uint64_t> wide_keys_;
};

}  // namespace berth
