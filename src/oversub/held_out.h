// Which machines of each cluster are held out: the least loaded ones, as many as the policy says
// (Algorithm 3, line 3). They change with the loads.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "fleet/inventory.h"

namespace berth {

class HeldOut {
 public:
  explicit HeldOut(std::uint32_t per_cluster) : per_cluster_(per_cluster) {}

  // The load of a machine that could not be used when nothing else will do.
  static constexpr std::uint32_t kUnusable = UINT32_MAX;

  // Where a machine stands, and its load.
  void Note(MachineIndex machine, ClusterIndex cluster, std::uint32_t load);
  // Chooses anew in a cluster, of equals those of the lowest index; a machine that left the view
  // needs no Note. Calls changed(machine) for those held out from now on, or no longer.
  void Choose(const Inventory& view, ClusterIndex cluster,
              const std::function<void(MachineIndex)>& changed);

  bool Has(MachineIndex machine) const {
    return At(machine) < machines_.size() && machines_[At(machine)].held_in != kNowhere;
  }

 private:
  static constexpr ClusterIndex kNowhere{UINT32_MAX};

  struct Noted {
    ClusterIndex cluster = kNowhere;
    std::uint32_t load = kUnusable;
    ClusterIndex held_in = kNowhere;
  };
  struct Cluster {
    std::set<std::pair<std::uint32_t, MachineIndex>> by_load;  // Those that can be used.
    std::vector<MachineIndex> held;
  };

  std::vector<MachineIndex> LeastLoaded(const Inventory& view, ClusterIndex cluster);

  std::uint32_t per_cluster_;
  std::vector<Noted> machines_;    // By index.
  std::vector<Cluster> clusters_;  // By index.
};

}  // namespace berth
