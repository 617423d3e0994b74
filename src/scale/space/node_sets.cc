#include "scale/space/node_sets.h"

#include <algorithm>
#include <map>
#include <utility>

namespace berth {
namespace {

using NodeTally = std::map<std::pair<std::size_t, InstanceCounts>, std::uint64_t>;

NodeTally TallyOf(std::span<const VmGroup> nodes) {
  NodeTally tally;
  for (const VmGroup& group : nodes) tally[{group.type, group.instances}] += group.count;
  return tally;
}

NodeSet SetOf(const NodeTally& tally) {
  NodeSet nodes;
  nodes.reserve(tally.size());
  for (const auto& [node, count] : tally) {
    if (count > 0) nodes.push_back({.type = node.first, .count = count, .instances = node.second});
  }
  std::ranges::stable_sort(nodes, [](const VmGroup& a, const VmGroup& b) {
    return a.type != b.type ? a.type < b.type : a.instances > b.instances;
  });
  return nodes;
}

}  // namespace

NodeSet GroupNodes(std::span<const VmGroup> nodes) { return SetOf(TallyOf(nodes)); }

NodeSet GroupFillings(std::span<const VmFilling> nodes) {
  NodeTally tally;
  for (const VmFilling& node : nodes) ++tally[{node.type, node.instances}];
  return SetOf(tally);
}

std::vector<VmFilling> Ungrouped(std::span<const VmGroup> nodes) {
  std::vector<VmFilling> each;
  each.reserve(NodesIn(nodes));
  for (const VmGroup& group : nodes) {
    each.insert(each.end(), group.count, {.type = group.type, .instances = group.instances});
  }
  return each;
}

NodeSet Joined(std::span<const VmGroup> one, std::span<const VmGroup> other) {
  NodeTally tally = TallyOf(one);
  for (const VmGroup& group : other) tally[{group.type, group.instances}] += group.count;
  return SetOf(tally);
}

NodeSet Without(std::span<const VmGroup> from, std::span<const VmGroup> what) {
  NodeTally tally = TallyOf(from);
  for (const auto& [node, count] : TallyOf(what)) {
    const auto found = tally.find(node);
    if (found != tally.end()) found->second -= std::min(found->second, count);
  }
  return SetOf(tally);
}

NodeSet Common(std::span<const VmGroup> from, std::span<const VmGroup> what) {
  NodeTally tally = TallyOf(from);
  const NodeTally wanted = TallyOf(what);
  for (auto& [node, count] : tally) {
    const auto found = wanted.find(node);
    count = found == wanted.end() ? 0 : std::min(count, found->second);
  }
  return SetOf(tally);
}

InstanceCounts InstancesOn(std::span<const VmGroup> nodes, std::size_t services) {
  InstanceCounts sum(services, 0);
  for (const VmGroup& group : nodes) {
    for (std::size_t s = 0; s < services; ++s) {
      sum[s] += static_cast<std::uint32_t>(group.count) * group.instances[s];
    }
  }
  return sum;
}

std::uint64_t NodesIn(std::span<const VmGroup> nodes) {
  std::uint64_t sum = 0;
  for (const VmGroup& group : nodes) sum += group.count;
  return sum;
}

std::int64_t HourMicrosOf(std::span<const VmGroup> nodes, std::span<const VmType> types) {
  std::int64_t sum = 0;
  for (const VmGroup& group : nodes) {
    sum += static_cast<std::int64_t>(group.count) * types[group.type].hour_micros;
  }
  return sum;
}

}  // namespace berth
