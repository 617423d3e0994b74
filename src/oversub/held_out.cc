#include "oversub/held_out.h"

#include <algorithm>
#include <utility>

namespace berth {

void HeldOut::Choose(const Inventory& view, ClusterIndex cluster,
                     const std::function<std::uint32_t(MachineIndex)>& load,
                     const std::function<void(MachineIndex)>& changed) {
  if (per_cluster_ == 0) return;
  if (by_cluster_.size() <= At(cluster)) by_cluster_.resize(At(cluster) + 1);
  if (held_in_.size() < view.machines().size()) held_in_.resize(view.machines().size(), kNowhere);
  const std::vector<MachineIndex>& machines = view[cluster].machines;
  loaded_.clear();
  for (std::uint32_t place = 0; place < machines.size(); ++place) {
    const std::uint32_t loaded = load(machines[place]);
    if (loaded != kUnusable) loaded_.push_back({loaded, place});
  }
  const std::size_t count = std::min<std::size_t>(per_cluster_, loaded_.size());
  const auto end = loaded_.begin() + static_cast<std::ptrdiff_t>(count);
  std::ranges::nth_element(loaded_, end);
  std::vector<MachineIndex> chosen;
  for (auto one = loaded_.begin(); one != end; ++one) chosen.push_back(machines[one->place]);
  std::ranges::sort(chosen);
  std::vector<MachineIndex>& before = by_cluster_[At(cluster)];
  if (chosen == before) return;
  for (const MachineIndex machine : before) {
    // It may stand in another cluster by now, and be held out there.
    if (std::ranges::binary_search(chosen, machine) || held_in_[At(machine)] != cluster) continue;
    held_in_[At(machine)] = kNowhere;
    changed(machine);
  }
  for (const MachineIndex machine : chosen) {
    if (std::exchange(held_in_[At(machine)], cluster) != cluster) changed(machine);
  }
  before = std::move(chosen);
}

}  // namespace berth
