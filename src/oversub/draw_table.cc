#include "oversub/draw_table.h"

#include <algorithm>

namespace berth {

void DrawTable::Reserve(std::size_t slots) {
  if (slots <= slots_) return;
  std::vector<std::uint8_t> wider(repetitions_ * slots * kBytesEach);
  for (std::size_t row = 0; row < repetitions_; ++row) {
    std::copy_n(bytes_.data() + row * slots_ * kBytesEach, slots_ * kBytesEach,
                wider.data() + row * slots * kBytesEach);
  }
  bytes_ = std::move(wider);
  slots_ = slots;
}

}  // namespace berth
