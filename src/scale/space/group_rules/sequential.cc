// Fig. 9.4a of the thesis on predictive autoscaling: a band of counts that each group narrows. What
// a group wants is first brought into the band that those before it left.
#include <algorithm>
#include <vector>

#include "scale/scaler.h"
#include "scale/space/group_rules/builtin.h"

namespace berth {

CountPath CombineInTurn(std::span<const GroupWish> wishes) {
  std::vector<const GroupWish*> order;
  order.reserve(wishes.size());
  for (const GroupWish& wish : wishes) order.push_back(&wish);
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [](const GroupWish* wish) { return wish->priority; });
  const std::size_t steps = wishes.front().counts.size();
  CountBand band = CountBand::Of({.min = 0, .max = kReplicasMax}, steps);
  CountPath counts;
  for (const GroupWish* wish : order) {
    counts = ClampTo(band, wish->counts);
    const CountPath least = LeastOfWindows(counts, wish->window);
    const CountPath most = MostOfWindows(counts, wish->window);
    for (std::size_t i = 0; i < steps; ++i) {
      band.low[i] = std::max(band.low[i], least[i]);
      band.high[i] = std::min(band.high[i], most[i]);
    }
  }
  return counts;
}

}  // namespace berth
