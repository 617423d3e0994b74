#include <algorithm>

#include "scale/space/node_sets.h"
#include "scale/space/placing/builtin.h"
#include "scale/space/placing_fill.h"

namespace berth {
namespace {

bool SharesANode(const PlacingProposal& proposal) {
  return std::ranges::any_of(proposal, [](const VmGroup& group) {
    return std::ranges::count_if(group.instances, [](std::uint32_t n) { return n > 0; }) > 1;
  });
}

}  // namespace

std::vector<PlacingProposal> ProposeShared(const PlacingTask& task) {
  std::vector<PlacingProposal> proposals;
  for (std::size_t t = 0; t < task.types.size(); ++t) {
    const auto nodes = FillNodes(task, t, &FillBySize);
    if (nodes) proposals.push_back(GroupFillings(OnCheapestTypes(task, *nodes)));
  }
  if (auto mixed = MixNodes(task, AllTypesOf(task))) proposals.push_back(std::move(*mixed));
  std::erase_if(proposals, [](const PlacingProposal& one) { return !SharesANode(one); });
  return proposals;
}

}  // namespace berth
