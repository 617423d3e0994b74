// How the Cluster Autoscaler chooses among the node groups that could take pending pods.
//
// To add one, write expanders/NAME.cc with a function that tells how bad an option is, and name
// both in expanders.def.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "berth/rng.h"
#include "berth/status.h"
#include "scale/cluster_autoscaler/node_estimate.h"

namespace berth {

struct ExpanderInput {
  std::span<const InstanceDemand> demands;
  std::span<const VmType> types;
  std::span<const NodeEstimate> options;  // Each places at least one pod.
};

struct ExpanderEntry {
  std::string_view name;
  std::string_view summary;
  // Lower is better; of equals the first option is taken. `rng` is for those who draw.
  double (*badness)(const ExpanderInput& input, const NodeEstimate& option, Rng& rng);
};

// In the order of expanders.def.
std::span<const ExpanderEntry> BuiltinExpanders();

// The best of the options, of which there is at least one.
const NodeEstimate& BestOption(const ExpanderEntry& expander, const ExpanderInput& input, Rng& rng);

}  // namespace berth
