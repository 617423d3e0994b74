#include <algorithm>

#include "scale/space/group_rules/builtin.h"

namespace berth {

CountPath CombineByLeast(std::span<const GroupWish> wishes) {
  CountPath combined = wishes.front().counts;
  for (const GroupWish& wish : wishes) {
    for (std::size_t i = 0; i < combined.size(); ++i) {
      combined[i] = std::min(combined[i], wish.counts[i]);
    }
  }
  return combined;
}

}  // namespace berth
