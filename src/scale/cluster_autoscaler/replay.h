// What the Cluster Autoscaler would have rented for instances that come and go: the baseline for
// plans.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "berth/rng.h"
#include "berth/status.h"
#include "berth/time.h"
#include "scale/cluster_autoscaler/expander.h"
#include "scale/cluster_autoscaler/scale_down.h"

namespace berth {

struct AutoscalerRun {
  double cost_micros = 0;
  std::uint64_t nodes_peak = 0;
  std::uint64_t nodes_added = 0;
  std::uint64_t nodes_removed = 0;
};

// `wanted` has one entry a step: how many instances of each service there are then. Pods that go
// leave the youngest nodes first; those that come take the first node with room, and else the
// expander's choice. Nodes are there at once, and paid from then until they go. Of those that fail
// the pods must find another place; they take none, and are paid until they are removed. Each
// service must fit on some type.
AutoscalerRun ReplayClusterAutoscaler(const ExpanderEntry& expander,
                                      std::span<const InstanceDemand> demands,
                                      std::span<const VmType> types,
                                      std::span<const InstanceCounts> wanted, Duration step,
                                      const ScaleDownSettings& settings, Rng rng);

}  // namespace berth
