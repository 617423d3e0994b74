#include "scale/space/placing_fill.h"

#include <algorithm>
#include <numeric>

#include "scale/capacity/vm_count.h"
#include "scale/space/node_sets.h"

namespace berth {
namespace {

// Decisions come often: what would take long to solve exactly is rounded instead.
constexpr VmMixLimits kQuickMix = {.fillings_max = 200, .steps_max = 20'000};

}  // namespace

std::uint32_t RoomLeftFor(const Resources& need, const Resources& free) {
  return need.FitsIn(free) ? InstancesPerVm(need, free) : 0;
}

bool AnyWanted(const InstanceCounts& left) {
  return std::ranges::any_of(left, [](std::uint32_t count) { return count > 0; });
}

std::vector<std::size_t> AllTypesOf(const PlacingTask& task) {
  std::vector<std::size_t> types(task.types.size());
  std::iota(types.begin(), types.end(), std::size_t{0});
  return types;
}

std::optional<std::vector<VmFilling>> FillNodes(const PlacingTask& task, std::size_t type,
                                                FillOneNode fill) {
  const Resources& capacity = task.types[type].capacity;
  for (std::size_t s = 0; s < task.wanted.size(); ++s) {
    if (task.wanted[s] > 0 && !task.demands[s].need.FitsIn(capacity)) return std::nullopt;
  }
  InstanceCounts left = task.wanted;
  std::vector<VmFilling> nodes;
  while (AnyWanted(left)) {
    nodes.push_back({.type = type, .instances = fill(task.demands, capacity, left)});
    for (std::size_t s = 0; s < left.size(); ++s) left[s] -= nodes.back().instances[s];
  }
  return nodes;
}

std::optional<PlacingProposal> MixNodes(const PlacingTask& task,
                                        std::span<const std::size_t> types) {
  std::vector<VmType> allowed;
  allowed.reserve(types.size());
  for (const std::size_t t : types) allowed.push_back(task.types[t]);
  std::vector<InstanceDemand> demands;
  std::vector<std::size_t> services;
  for (std::size_t s = 0; s < task.wanted.size(); ++s) {
    if (task.wanted[s] == 0) continue;
    services.push_back(s);
    demands.push_back(task.demands[s]);
    demands.back().instances = task.wanted[s];
  }
  if (demands.empty()) return PlacingProposal{};
  const Result<VmMix> mix = CheapestVmMix(demands, allowed, kQuickMix);
  if (!mix.ok()) return std::nullopt;
  PlacingProposal nodes;
  nodes.reserve(mix.value().groups.size());
  for (const VmGroup& group : mix.value().groups) {
    VmGroup node{.type = types[group.type],
                 .count = group.count,
                 .instances = InstanceCounts(task.wanted.size(), 0)};
    for (std::size_t i = 0; i < services.size(); ++i) {
      node.instances[services[i]] = group.instances[i];
    }
    nodes.push_back(std::move(node));
  }
  return GroupNodes(nodes);
}

std::vector<VmFilling> OnCheapestTypes(const PlacingTask& task, std::vector<VmFilling> nodes) {
  for (VmFilling& node : nodes) {
    node.type = *CheapestHolding(ResourcesOf(task.demands, node.instances), task.types);
  }
  return nodes;
}

}  // namespace berth
