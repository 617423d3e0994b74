// Which nodes the Cluster Autoscaler removes (section 2.2.4 of the thesis on predictive
// autoscaling).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "berth/time.h"
#include "scale/capacity/vm_filling.h"
#include "scale/capacity/vm_mix.h"

namespace berth {

struct AutoscaledNode {
  std::size_t type = 0;
  InstanceCounts pods{};                 // By service.
  bool keep = false;                     // Marked not to be scaled down.
  std::optional<Time> unready_since{};   // None: it is ready.
  std::optional<Time> unneeded_since{};  // None: it is needed. Kept by MarkUnneeded.
};

struct ScaleDownSettings {
  Duration unneeded_time = std::chrono::minutes(10);
  Duration unready_time = std::chrono::minutes(20);
  Resources least{};             // Of cpu and memory, that the nodes must keep together.
  std::vector<bool> blocking{};  // Services whose pods may not be moved; empty: none.
};

struct AutoscaledCluster {
  std::span<const InstanceDemand> demands;  // What a pod of each service needs.
  std::span<const VmType> types;
  std::vector<AutoscaledNode> nodes{};
};

// Since when each node has been unneeded: its pods fit onto the other nodes that are ready.
void MarkUnneeded(AutoscaledCluster& cluster, Time now);

// Removes what may go, moving pods to the nodes that stay, and tells how many nodes went. A node
// may go if it is not marked to stay, has been unneeded (unready: also unready) for long enough,
// and what is left keeps `least`. Those without pods all at once; if there is none, those with the
// fewest pods first, none of them blocking, as long as the others have room.
std::size_t ScaleDown(AutoscaledCluster& cluster, const ScaleDownSettings& settings, Time now);

}  // namespace berth
