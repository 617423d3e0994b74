// Sets of nodes: groups of equal ones, as VmGroup has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scale/capacity/vm_filling.h"
#include "scale/capacity/vm_mix.h"

namespace berth {

using NodeSet = std::vector<VmGroup>;

// Equal ones in one group, by type, then the fullest first.
NodeSet GroupNodes(std::span<const VmGroup> nodes);
NodeSet GroupFillings(std::span<const VmFilling> nodes);
// One entry a node.
std::vector<VmFilling> Ungrouped(std::span<const VmGroup> nodes);

NodeSet Joined(std::span<const VmGroup> one, std::span<const VmGroup> other);
// `from` without as many of `what` as there are in it.
NodeSet Without(std::span<const VmGroup> from, std::span<const VmGroup> what);
// As many of `what` as there are in `from`.
NodeSet Common(std::span<const VmGroup> from, std::span<const VmGroup> what);

InstanceCounts InstancesOn(std::span<const VmGroup> nodes, std::size_t services);
std::uint64_t NodesIn(std::span<const VmGroup> nodes);
std::int64_t HourMicrosOf(std::span<const VmGroup> nodes, std::span<const VmType> types);

}  // namespace berth
