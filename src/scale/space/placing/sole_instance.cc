#include "scale/space/node_sets.h"
#include "scale/space/placing/builtin.h"

namespace berth {

std::vector<PlacingProposal> ProposeSoleInstance(const PlacingTask& task) {
  PlacingProposal nodes;
  for (std::size_t s = 0; s < task.wanted.size(); ++s) {
    if (task.wanted[s] == 0) continue;
    const auto type = CheapestHolding(task.demands[s].need, task.types);
    if (!type) return {};
    VmGroup node{
        .type = *type, .count = task.wanted[s], .instances = InstanceCounts(task.wanted.size(), 0)};
    node.instances[s] = 1;
    nodes.push_back(std::move(node));
  }
  return {GroupNodes(nodes)};
}

}  // namespace berth
