#include "oversub/held_out.h"

#include <algorithm>
#include <utility>

namespace berth {

void HeldOut::Note(MachineIndex machine, ClusterIndex cluster, std::uint32_t load) {
  if (per_cluster_ == 0) return;
  if (machines_.size() <= At(machine)) machines_.resize(At(machine) + 1);
  if (clusters_.size() <= At(cluster)) clusters_.resize(At(cluster) + 1);
  Noted& noted = machines_[At(machine)];
  if (noted.cluster == cluster && noted.load == load) return;
  if (noted.load != kUnusable) clusters_[At(noted.cluster)].by_load.erase({noted.load, machine});
  if (load != kUnusable) clusters_[At(cluster)].by_load.emplace(load, machine);
  noted.cluster = cluster;
  noted.load = load;
}

std::vector<MachineIndex> HeldOut::LeastLoaded(const Inventory& view, ClusterIndex cluster) {
  auto& by_load = clusters_[At(cluster)].by_load;
  std::vector<MachineIndex> least;
  for (auto one = by_load.begin(); one != by_load.end() && least.size() < per_cluster_;) {
    const MachineIndex machine = one->second;
    if (view[machine].vacant()) {
      machines_[At(machine)].load = kUnusable;
      one = by_load.erase(one);
    } else {
      least.push_back(machine);
      ++one;
    }
  }
  return least;
}

void HeldOut::Choose(const Inventory& view, ClusterIndex cluster,
                     const std::function<void(MachineIndex)>& changed) {
  if (At(cluster) >= clusters_.size()) return;
  std::vector<MachineIndex> chosen = LeastLoaded(view, cluster);
  std::ranges::sort(chosen);
  std::vector<MachineIndex>& held = clusters_[At(cluster)].held;
  if (chosen == held) return;
  for (const MachineIndex machine : held) {
    // It may stand in another cluster by now, and be held out there.
    ClusterIndex& held_in = machines_[At(machine)].held_in;
    if (std::ranges::binary_search(chosen, machine) || held_in != cluster) continue;
    held_in = kNowhere;
    changed(machine);
  }
  for (const MachineIndex machine : chosen) {
    if (std::exchange(machines_[At(machine)].held_in, cluster) != cluster) changed(machine);
  }
  held = std::move(chosen);
}

}  // namespace berth
