// How a planned state is reached from what there is.
#include <algorithm>
#include <map>
#include <utility>

#include "appsim/app_platform.h"

namespace berth {
namespace {

std::uint64_t Overlap(const InstanceCounts& a, const InstanceCounts& b) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) sum += std::min(a[i], b[i]);
  return sum;
}

}  // namespace

InstanceCounts AppPlatform::InstancesOn(const NodeOfType& node) const {
  InstanceCounts counts(model_.services.size());
  for (const std::uint32_t i : node.instances) {
    const Life life = instances_[i].life;
    if (life == Life::kBooting || life == Life::kUp) ++counts[instances_[i].service];
  }
  return counts;
}

// Those that are up before those that boot, else the oldest first.
std::vector<std::uint32_t> AppPlatform::LivingNodes() const {
  std::vector<std::uint32_t> living;
  living.reserve(alive_.size());
  for (const Life life : {Life::kUp, Life::kBooting}) {
    for (const std::uint32_t index : alive_) {
      if (nodes_[index].life == life) living.push_back(index);
    }
  }
  return living;
}

void AppPlatform::Enforce(const PlannedState& planned) {
  planned.nodes.empty() ? SetCounts(planned.instances) : SetNodes(planned.nodes);
  for (std::uint32_t service = 0; service < model_.services.size(); ++service) LetGo(service);
}

// Takes what is there already from what is wanted; answers the nodes that are not among it.
std::vector<std::uint32_t> AppPlatform::MatchExactly(std::vector<VmGroup>& wanted) {
  std::map<std::pair<std::size_t, InstanceCounts>, std::vector<VmGroup*>> open;
  for (VmGroup& group : wanted) {
    group.instances.resize(model_.services.size());
    open[{group.type, group.instances}].push_back(&group);
  }
  std::vector<std::uint32_t> rest;
  for (const std::uint32_t index : LivingNodes()) {
    const auto found = open.find({nodes_[index].type, InstancesOn(nodes_[index])});
    VmGroup* match = nullptr;
    if (found != open.end()) {
      const auto group =
          std::ranges::find_if(found->second, [](const VmGroup* g) { return g->count > 0; });
      if (group != found->second.end()) match = *group;
    }
    if (match == nullptr) {
      rest.push_back(index);
    } else {
      --match->count;
    }
  }
  return rest;
}

void AppPlatform::SetNodes(const std::vector<VmGroup>& groups) {
  std::vector<VmGroup> wanted = groups;
  std::vector<std::uint32_t> rest = MatchExactly(wanted);
  // Then nodes that are of the right type keep as much of what is on them as they can.
  for (VmGroup& group : wanted) {
    while (group.count > 0) {
      auto best = rest.end();
      std::uint64_t most = 0;
      for (auto it = rest.begin(); it != rest.end(); ++it) {
        if (nodes_[*it].type != group.type) continue;
        const std::uint64_t kept = Overlap(InstancesOn(nodes_[*it]), group.instances);
        if (best != rest.end() && kept <= most) continue;
        best = it;
        most = kept;
      }
      if (best == rest.end()) break;
      SetInstances(*best, group.instances);
      rest.erase(best);
      --group.count;
    }
  }
  for (const VmGroup& group : wanted) {
    for (std::uint64_t i = 0; i < group.count; ++i) {
      if (!OrderNode(group.type, group.instances)) break;
    }
  }
  for (const std::uint32_t node : rest) StopNode(node);
}

void AppPlatform::SetInstances(std::uint32_t node, const InstanceCounts& wanted) {
  const InstanceCounts there = InstancesOn(nodes_[node]);
  for (std::uint32_t service = 0; service < wanted.size(); ++service) {
    for (std::uint32_t i = there[service]; i < wanted[service]; ++i) OrderInstance(node, service);
    std::uint32_t surplus = there[service] - std::min(there[service], wanted[service]);
    // The youngest go first: they boot, or have the least to finish.
    const std::vector<std::uint32_t> on_node = nodes_[node].instances;
    for (auto it = on_node.rbegin(); it != on_node.rend() && surplus > 0; ++it) {
      const Instance& instance = instances_[*it];
      if (instance.service != service) continue;
      if (instance.life != Life::kBooting && instance.life != Life::kUp) continue;
      StopInstance(*it);
      --surplus;
    }
  }
}

// Nodes stay as they are: instances go where there is room for what they need.
void AppPlatform::SetCounts(const InstanceCounts& wanted) {
  const std::vector<std::uint32_t> nodes = LivingNodes();
  for (std::uint32_t service = 0; service < wanted.size(); ++service) {
    std::uint32_t there = 0;
    for (const std::uint32_t node : nodes) there += InstancesOn(nodes_[node])[service];
    for (auto it = nodes.rbegin(); it != nodes.rend() && there > wanted[service]; ++it) {
      InstanceCounts fewer = InstancesOn(nodes_[*it]);
      const std::uint32_t gone = std::min(fewer[service], there - wanted[service]);
      fewer[service] -= gone;
      there -= gone;
      SetInstances(*it, fewer);
    }
    for (const std::uint32_t node : nodes) {
      const InstanceCounts counts = InstancesOn(nodes_[node]);
      const Resources& capacity = model_.node_types[nodes_[node].type].vm.capacity;
      Resources used;
      for (std::size_t s = 0; s < counts.size(); ++s) {
        for (std::uint32_t i = 0; i < counts[s] && used.FitsIn(capacity); ++i) {
          used += model_.services[s].need;
        }
      }
      while (there < wanted[service] && (used + model_.services[service].need).FitsIn(capacity)) {
        if (IsFull()) break;
        OrderInstance(node, service);
        used += model_.services[service].need;
        ++there;
      }
    }
    not_placed_ += wanted[service] - std::min(wanted[service], there);
  }
}

}  // namespace berth
