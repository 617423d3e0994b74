// As many instances of one service on a node as fit. Only types that are meant for the service,
// where the policy says which are.
#include <optional>
#include <span>
#include <utility>

#include "scale/capacity/vm_count.h"
#include "scale/space/node_sets.h"
#include "scale/space/placing/builtin.h"
#include "scale/space/placing_fill.h"

namespace berth {
namespace {

std::vector<std::size_t> TypesFor(const PlacingTask& task, std::size_t service) {
  const bool any = service >= task.special.size() || task.special[service].empty();
  return any ? AllTypesOf(task) : task.special[service];
}

// Of the one type that is cheapest for them, full but for the last.
std::optional<PlacingProposal> OnOneType(const PlacingTask& task, std::size_t service,
                                         std::span<const std::size_t> indices) {
  std::vector<VmType> types;
  types.reserve(indices.size());
  for (const std::size_t t : indices) types.push_back(task.types[t]);
  const std::uint32_t wanted = task.wanted[service];
  const Resources& need = task.demands[service].need;
  const auto choice = CheapestVmType(wanted, need, types);
  if (!choice) return std::nullopt;
  const std::uint32_t each = InstancesPerVm(need, types[choice->type].capacity);
  VmGroup node{.type = indices[choice->type], .instances = InstanceCounts(task.wanted.size(), 0)};
  PlacingProposal nodes;
  const auto add = [&](std::uint64_t count, std::uint32_t instances) {
    node.count = count;
    node.instances[service] = instances;
    if (count > 0 && instances > 0) nodes.push_back(node);
  };
  add(wanted / each, each);
  add(1, wanted % each);
  return nodes;
}

}  // namespace

std::vector<PlacingProposal> ProposeSpecialised(const PlacingTask& task) {
  PlacingProposal alike;
  PlacingProposal mixed;
  for (std::size_t s = 0; s < task.wanted.size(); ++s) {
    if (task.wanted[s] == 0) continue;
    const std::vector<std::size_t> types = TypesFor(task, s);
    const auto one_type = OnOneType(task, s, types);
    if (!one_type) return {};
    alike = Joined(alike, *one_type);
    InstanceCounts alone(task.wanted.size(), 0);
    alone[s] = task.wanted[s];
    mixed = Joined(
        mixed, *MixNodes({.demands = task.demands, .wanted = alone, .types = task.types}, types));
  }
  return {std::move(alike), std::move(mixed)};
}

}  // namespace berth
