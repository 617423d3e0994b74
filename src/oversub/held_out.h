// Which machines of each cluster are held out: the least loaded ones, as many as the policy says
// (Algorithm 3, line 3). They change with the loads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fleet/inventory.h"

namespace berth {

class HeldOut {
 public:
  explicit HeldOut(std::uint32_t per_cluster) : per_cluster_(per_cluster) {}

  // The load of a machine that could not be used when nothing else will do.
  static constexpr std::uint32_t kUnusable = UINT32_MAX;

  // Chooses anew in a cluster. `load` is a machine's; calls changed(machine) for those that are
  // held out from now on, or no longer.
  void Choose(const Inventory& view, ClusterIndex cluster,
              const std::function<std::uint32_t(MachineIndex)>& load,
              const std::function<void(MachineIndex)>& changed);

  bool Has(MachineIndex machine) const {
    return At(machine) < held_in_.size() && held_in_[At(machine)] != kNowhere;
  }

 private:
  struct Loaded {
    std::uint32_t load = 0;
    std::uint32_t place = 0;  // In the cluster's list: the first of equals.

    friend auto operator<=>(const Loaded&, const Loaded&) = default;
  };

  std::uint32_t per_cluster_;
  static constexpr ClusterIndex kNowhere{UINT32_MAX};
  std::vector<ClusterIndex> held_in_;                  // By machine.
  std::vector<std::vector<MachineIndex>> by_cluster_;  // Those held.
  std::vector<Loaded> loaded_;
};

}  // namespace berth
