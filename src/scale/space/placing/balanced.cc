#include <optional>

#include "scale/space/node_sets.h"
#include "scale/space/placing/builtin.h"
#include "scale/space/placing_fill.h"

namespace berth {
namespace {

// The resource of which an instance takes the largest share of the node.
Resource LargestShare(const Resources& need, const Resources& capacity) {
  Resource largest = Resource::kCpu;
  double most = -1;
  for (const Resource r : kAllResources) {
    if (capacity[r] == 0) continue;
    const double share = static_cast<double>(need[r]) / static_cast<double>(capacity[r]);
    if (share <= most) continue;
    most = share;
    largest = r;
  }
  return largest;
}

// Whether services share a node whose largest shares are of different resources.
bool Complements(const PlacingTask& task, const VmFilling& node) {
  std::optional<Resource> first;
  for (std::size_t s = 0; s < node.instances.size(); ++s) {
    if (node.instances[s] == 0) continue;
    const Resource r = LargestShare(task.demands[s].need, task.types[node.type].capacity);
    if (first && *first != r) return true;
    first = r;
  }
  return false;
}

}  // namespace

std::vector<PlacingProposal> ProposeBalanced(const PlacingTask& task) {
  std::vector<PlacingProposal> proposals;
  for (std::size_t t = 0; t < task.types.size(); ++t) {
    const auto nodes = FillNodes(task, t, &FillByDirection);
    if (!nodes || nodes->empty() || !Complements(task, nodes->front())) continue;
    proposals.push_back(GroupFillings(OnCheapestTypes(task, *nodes)));
  }
  return proposals;
}

}  // namespace berth
