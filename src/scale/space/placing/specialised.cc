// As many instances of one service on a node as fit. Only types that are meant for the service,
// where the policy says which are.
#include <algorithm>

#include "scale/capacity/vm_count.h"
#include "scale/space/node_sets.h"
#include "scale/space/placing/builtin.h"
#include "scale/space/placing_fill.h"

namespace berth {
namespace {

std::vector<VmType> TypesFor(const PlacingTask& task, std::size_t service,
                             std::vector<std::size_t>& indices) {
  const bool any = service >= task.special.size() || task.special[service].empty();
  indices = any ? AllTypesOf(task) : task.special[service];
  std::vector<VmType> types;
  types.reserve(indices.size());
  for (const std::size_t t : indices) types.push_back(task.types[t]);
  return types;
}

}  // namespace

std::vector<PlacingProposal> ProposeSpecialised(const PlacingTask& task) {
  PlacingProposal nodes;
  for (std::size_t s = 0; s < task.wanted.size(); ++s) {
    if (task.wanted[s] == 0) continue;
    std::vector<std::size_t> indices;
    const std::vector<VmType> types = TypesFor(task, s, indices);
    const auto choice = CheapestVmType(task.wanted[s], task.demands[s].need, types);
    if (!choice) return {};
    const std::uint32_t each = InstancesPerVm(task.demands[s].need, types[choice->type].capacity);
    VmGroup node{.type = indices[choice->type], .instances = InstanceCounts(task.wanted.size(), 0)};
    node.count = task.wanted[s] / each;
    node.instances[s] = each;
    if (node.count > 0) nodes.push_back(node);
    const std::uint32_t rest = task.wanted[s] % each;
    if (rest == 0) continue;
    node.count = 1;
    node.instances[s] = rest;
    nodes.push_back(std::move(node));
  }
  return {GroupNodes(std::move(nodes))};
}

}  // namespace berth
