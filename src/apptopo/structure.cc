#include "apptopo/structure.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "apptopo/components.h"

namespace berth {
namespace {

// For each strongly connected component, the services that reach it, itself included, as bits.
std::vector<std::vector<std::uint64_t>> ReachedFrom(const ServiceGraph& graph,
                                                    const StrongComponents& strong) {
  const std::size_t words = (graph.size() + 63) / 64;
  std::vector<std::vector<std::uint64_t>> reached(strong.count, std::vector<std::uint64_t>(words));
  std::vector<std::vector<std::size_t>> callees(strong.count);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    reached[strong.of[i]][i / 64] |= std::uint64_t{1} << (i % 64);
  }
  for (const CallEdge& edge : graph.edges()) {
    callees[strong.of[ToIndex(edge.caller)]].push_back(strong.of[ToIndex(edge.callee)]);
  }
  for (std::size_t from = strong.count; from-- > 0;) {
    for (const std::size_t to : callees[from]) {
      if (to == from) continue;
      for (std::size_t w = 0; w < words; ++w) reached[to][w] |= reached[from][w];
    }
  }
  return reached;
}

std::size_t CountBits(const std::vector<std::uint64_t>& bits) {
  std::size_t count = 0;
  for (const std::uint64_t word : bits) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

void CountUpstream(const ServiceGraph& graph, const StrongComponents& strong,
                   TopologyStructure& structure) {
  const auto reached = ReachedFrom(graph, strong);
  std::vector<std::size_t> counts;
  counts.reserve(reached.size());
  for (const auto& bits : reached) counts.push_back(CountBits(bits) - 1);  // Not itself.
  for (std::size_t i = 0; i < graph.size(); ++i) {
    structure.services[i].upstream = counts[strong.of[i]];
  }
}

void FindLevels(const ServiceGraph& graph, const StrongComponents& strong,
                TopologyStructure& structure) {
  std::vector<std::size_t> level(strong.count, 0);
  std::vector<CallEdge> edges = graph.edges();
  const auto from = [&](const CallEdge& edge) { return strong.of[ToIndex(edge.caller)]; };
  std::ranges::stable_sort(edges, std::ranges::greater{}, from);  // Callers before callees.
  for (const CallEdge& edge : edges) {
    const std::size_t to = strong.of[ToIndex(edge.callee)];
    if (to != from(edge)) level[to] = std::max(level[to], level[from(edge)] + 1);
  }
  for (std::size_t i = 0; i < graph.size(); ++i) {
    structure.services[i].level = level[strong.of[i]];
    structure.levels = std::max(structure.levels, level[strong.of[i]] + 1);
  }
}

using ServiceSets = std::vector<std::vector<ServiceVertex>>;

// By their first service, each in order.
template <typename SetOf>
ServiceSets SetsBy(std::size_t services, SetOf set_of) {
  std::map<std::size_t, std::size_t> number;  // By what `set_of` answers.
  ServiceSets sets;
  for (std::size_t i = 0; i < services; ++i) {
    const auto [at, added] = number.try_emplace(set_of(i), sets.size());
    if (added) sets.emplace_back();
    sets[at->second].push_back(static_cast<ServiceVertex>(i));
  }
  return sets;
}

void FindGroups(const ServiceGraph& graph, const StrongComponents& strong,
                TopologyStructure& structure) {
  DisjointSets together(graph.size());
  for (const CallEdge& edge : graph.edges()) {
    const std::size_t caller = ToIndex(edge.caller);
    const std::size_t callee = ToIndex(edge.callee);
    const bool only_caller = structure.services[callee].fan_in == 1;
    if (only_caller || strong.of[caller] == strong.of[callee]) together.Join(caller, callee);
  }
  structure.groups = SetsBy(graph.size(), [&](std::size_t i) { return together.Find(i); });
  std::ranges::stable_sort(structure.groups, std::ranges::greater{},
                           [](const auto& group) { return group.size(); });
  for (std::size_t g = 0; g < structure.groups.size(); ++g) {
    for (const ServiceVertex service : structure.groups[g]) {
      structure.services[ToIndex(service)].group = g;
    }
  }
}

void FindBottlenecks(TopologyStructure& structure) {
  const auto n = static_cast<double>(structure.services.size());
  double sum = 0;
  for (const ServiceStructure& service : structure.services) {
    sum += static_cast<double>(service.fan_in);
  }
  double squares = 0;
  for (const ServiceStructure& service : structure.services) {
    squares += std::pow(static_cast<double>(service.fan_in) - sum / n, 2);
  }
  const double usual = sum / n + std::sqrt(squares / n);
  for (std::size_t i = 0; i < structure.services.size(); ++i) {
    ServiceStructure& service = structure.services[i];
    service.bottleneck = service.fan_in >= 2 && static_cast<double>(service.fan_in) > usual;
    if (service.bottleneck) structure.bottlenecks.push_back(static_cast<ServiceVertex>(i));
  }
  std::ranges::stable_sort(structure.bottlenecks, [&](ServiceVertex a, ServiceVertex b) {
    const ServiceStructure& x = structure.services[ToIndex(a)];
    const ServiceStructure& y = structure.services[ToIndex(b)];
    return x.fan_in != y.fan_in ? x.fan_in > y.fan_in : x.upstream > y.upstream;
  });
}

std::size_t CountComponents(const ServiceGraph& graph) {
  DisjointSets joined(graph.size());
  for (const CallEdge& edge : graph.edges()) {
    joined.Join(ToIndex(edge.caller), ToIndex(edge.callee));
  }
  return SetsBy(graph.size(), [&](std::size_t i) { return joined.Find(i); }).size();
}

}  // namespace

TopologyStructure StructureOf(const ServiceGraph& graph) {
  TopologyStructure structure;
  structure.services.resize(graph.size());
  for (const CallEdge& edge : graph.edges()) {
    ++structure.services[ToIndex(edge.caller)].fan_out;
    ++structure.services[ToIndex(edge.callee)].fan_in;
  }
  for (const ServiceStructure& service : structure.services) {
    structure.entries += service.fan_in == 0 ? 1 : 0;
    structure.leaves += service.fan_out == 0 ? 1 : 0;
  }
  const StrongComponents strong = StrongComponentsOf(graph);
  CountUpstream(graph, strong, structure);
  FindLevels(graph, strong, structure);
  FindGroups(graph, strong, structure);
  if (graph.size() > 0) FindBottlenecks(structure);
  structure.components = CountComponents(graph);
  structure.cycles = SetsBy(graph.size(), [&](std::size_t i) { return strong.of[i]; });
  std::erase_if(structure.cycles, [](const auto& services) { return services.size() < 2; });
  return structure;
}

}  // namespace berth
