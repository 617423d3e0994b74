// What the tenants of one machine draw in each repetition. It is most of what an estimate keeps, so
// a draw takes three bytes; those of one repetition lie together, as they are read.
#pragma once

#include <cstdint>
#include <vector>

#include "oversub/trace_library.h"

namespace berth {

// A tenant's place on its machine, kept while it is there.
using TenantSlot = std::uint16_t;

class DrawTable {
 public:
  explicit DrawTable(std::uint32_t repetitions) : repetitions_(repetitions) {}

  // For how many slots there is room; whatever was not set is the first trace.
  std::size_t slots() const { return slots_; }
  // Makes room for so many, keeping what is there.
  void Reserve(std::size_t slots);

  TraceIndex At(TenantSlot slot, std::uint32_t repetition) const {
    const std::uint8_t* const at = bytes_.data() + Offset(slot, repetition);
    const std::uint32_t drawn =
        std::uint32_t{at[0]} | std::uint32_t{at[1]} << 8U | std::uint32_t{at[2]} << 16U;
    return drawn == kNone ? kNoTrace : TraceIndex{drawn};
  }
  void Set(TenantSlot slot, std::uint32_t repetition, TraceIndex drawn) {
    std::uint8_t* const at = bytes_.data() + Offset(slot, repetition);
    const auto value = static_cast<std::uint32_t>(drawn);  // Of kNoTrace too these bytes are kNone.
    at[0] = static_cast<std::uint8_t>(value);
    at[1] = static_cast<std::uint8_t>(value >> 8);
    at[2] = static_cast<std::uint8_t>(value >> 16);
  }

  std::size_t bytes() const { return bytes_.capacity(); }

 private:
  static constexpr std::size_t kBytesEach = 3;
  static constexpr std::uint32_t kNone = (1U << 24) - 1;
  static_assert(kLibraryModelsMax <= kNone);

  std::size_t Offset(std::size_t slot, std::uint32_t repetition) const {
    return (repetition * slots_ + slot) * kBytesEach;
  }

  std::uint32_t repetitions_;
  std::size_t slots_ = 0;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace berth
