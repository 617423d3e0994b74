#include <algorithm>

#include "scale/space/group_rules/builtin.h"

namespace berth {

CountPath CombineByMost(std::span<const GroupWish> wishes) {
  CountPath combined = wishes.front().counts;
  for (const GroupWish& wish : wishes) {
    for (std::size_t i = 0; i < combined.size(); ++i) {
      combined[i] = std::max(combined[i], wish.counts[i]);
    }
  }
  return combined;
}

}  // namespace berth
