// A page of a list: begins at the slot that its token names.
#pragma once

#include <cstdint>
#include <string>

#include "berth/status.h"

namespace berth {

class Page {
 public:
  static constexpr std::uint32_t kSizeMax = 1000;
  static constexpr std::uint32_t kSizeOtherwise = 100;

  static Result<Page> Of(std::uint32_t size, const std::string& token);

  // Walks slots from where it begins, while the page is not full: `add` says whether it took one.
  // The token of the next page; empty: there is none.
  template <typename Slots, typename Add>
  std::string Walk(const Slots& slots, Add add) const {
    std::uint32_t taken = 0;
    for (std::uint64_t i = begin_; i < slots.size(); ++i) {
      if (taken == size_) return std::to_string(i);
      if (add(slots[i])) ++taken;
    }
    return {};
  }
  std::uint64_t begin() const { return begin_; }
  std::uint32_t size() const { return size_; }

 private:
  std::uint64_t begin_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace berth
