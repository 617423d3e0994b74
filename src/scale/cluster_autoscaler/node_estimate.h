// The Cluster Autoscaler's estimate of how many nodes of one kind pending pods need: first fit,
// decreasing by CPUreq/CPUnode + MEMreq/MEMnode (Eq. 2.16 of the thesis on predictive autoscaling).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scale/capacity/vm_filling.h"
#include "scale/capacity/vm_mix.h"

namespace berth {

// Eq. 2.16; of a node without one of the two, the other alone.
double PodScore(const Resources& pod, const Resources& node);

struct NodeEstimate {
  std::size_t type = 0;
  std::vector<InstanceCounts> nodes{};  // What each holds, by service.
  InstanceCounts placed{};              // Pods that find a place; others fit on no such node.
};

// `pending` by service, as `demands` describe them.
NodeEstimate EstimateNodes(std::span<const InstanceDemand> demands, const InstanceCounts& pending,
                           std::span<const VmType> types, std::size_t type);

}  // namespace berth
