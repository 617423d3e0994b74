#include <algorithm>

#include "scale/space/node_sets.h"
#include "scale/space/placing/builtin.h"
#include "scale/space/placing_fill.h"

namespace berth {
namespace {

std::vector<std::size_t> TypesInUse(const PlacingTask& task) {
  std::vector<std::size_t> types;
  for (const VmGroup& group : task.existing) {
    if (std::ranges::find(types, group.type) == types.end()) types.push_back(group.type);
  }
  std::ranges::sort(types);
  return types;
}

// More nodes of the kinds there are, the fullest kind first, while the instances last; the rest as
// is cheapest on the types in use.
std::optional<PlacingProposal> RepeatExisting(const PlacingTask& task,
                                              std::span<const std::size_t> types) {
  InstanceCounts left = task.wanted;
  PlacingProposal nodes;
  for (const VmGroup& kind : GroupNodes(task.existing)) {
    const bool fits =
        ResourcesOf(task.demands, kind.instances).FitsIn(task.types[kind.type].capacity);
    if (!fits || !AnyWanted(kind.instances)) continue;
    std::uint32_t times = UINT32_MAX;
    for (std::size_t s = 0; s < left.size(); ++s) {
      if (kind.instances[s] > 0) times = std::min(times, left[s] / kind.instances[s]);
    }
    if (times == 0) continue;
    nodes.push_back({.type = kind.type, .count = times, .instances = kind.instances});
    for (std::size_t s = 0; s < left.size(); ++s) left[s] -= times * kind.instances[s];
  }
  if (nodes.empty()) return std::nullopt;
  const auto rest = MixNodes({.demands = task.demands, .wanted = left, .types = task.types}, types);
  if (!rest) return std::nullopt;
  return Joined(nodes, *rest);
}

}  // namespace

std::vector<PlacingProposal> ProposeExistingMixture(const PlacingTask& task) {
  const std::vector<std::size_t> types = TypesInUse(task);
  if (types.empty()) return {};
  std::vector<PlacingProposal> proposals;
  if (auto repeated = RepeatExisting(task, types)) proposals.push_back(std::move(*repeated));
  if (auto mixed = MixNodes(task, types)) proposals.push_back(std::move(*mixed));
  return proposals;
}

}  // namespace berth
