#include "apptopo/structure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "apptopo/components.h"
#include "berth/rng.h"

namespace berth {
namespace {

ServiceGraph GraphOf(std::size_t services,
                     const std::vector<std::pair<std::size_t, std::size_t>>& calls) {
  ServiceGraphBuilder builder;
  for (std::size_t i = 0; i < services; ++i) {
    EXPECT_TRUE(builder.Service(std::string(1, static_cast<char>('a' + i))).ok());
  }
  for (const auto& [caller, callee] : calls) {
    EXPECT_TRUE(
        builder.Call(static_cast<ServiceVertex>(caller), static_cast<ServiceVertex>(callee)).ok());
  }
  return std::move(builder).Build();
}

std::string Names(const ServiceGraph& graph, const std::vector<ServiceVertex>& services) {
  std::string names;
  for (const ServiceVertex service : services) names += graph.name(service);
  return names;
}

std::string Sets(const ServiceGraph& graph, const std::vector<std::vector<ServiceVertex>>& sets) {
  std::string text;
  for (const auto& set : sets) text += (text.empty() ? "" : " ") + Names(graph, set);
  return text;
}

// a calls b, c, d; all three call e; e calls f.
TEST(Structure, OfADiamond) {
  const ServiceGraph graph = GraphOf(6, {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}, {4, 5}});
  const TopologyStructure structure = StructureOf(graph);
  const ServiceStructure& e = structure.services[4];
  EXPECT_EQ(e.fan_in, 3U);
  EXPECT_EQ(e.fan_out, 1U);
  EXPECT_EQ(e.upstream, 4U);
  EXPECT_EQ(e.level, 2U);
  EXPECT_EQ(structure.services[5].upstream, 5U);
  EXPECT_EQ(structure.entries, 1U);
  EXPECT_EQ(structure.leaves, 1U);
  EXPECT_EQ(structure.levels, 4U);
  EXPECT_EQ(structure.components, 1U);
  // Fan-in 0 1 1 1 3 1: mean 7/6, deviation 0.898: only e is above 2.06.
  EXPECT_EQ(Names(graph, structure.bottlenecks), "e");
  // b, c and d get what a gets; e gets the sum of three, and f what e gets.
  EXPECT_EQ(Sets(graph, structure.groups), "abcd ef");
  EXPECT_TRUE(structure.cycles.empty());
}

TEST(Structure, CyclesAreNamedAndCountAsOneService) {
  // a -> b -> c -> b, c -> d; e <-> f apart.
  const ServiceGraph graph = GraphOf(6, {{0, 1}, {1, 2}, {2, 1}, {2, 3}, {4, 5}, {5, 4}});
  const TopologyStructure structure = StructureOf(graph);
  EXPECT_EQ(Sets(graph, structure.cycles), "bc ef");
  EXPECT_EQ(structure.services[3].level, 2U);
  EXPECT_EQ(structure.services[1].upstream, 2U);  // a and c.
  EXPECT_EQ(structure.services[3].upstream, 3U);
  EXPECT_EQ(structure.components, 2U);
  EXPECT_EQ(structure.entries, 1U);
  EXPECT_EQ(Sets(graph, structure.groups), "bcd ef a");
  EXPECT_EQ(Names(graph, structure.bottlenecks), "b");
}

TEST(Structure, AServiceAloneIsAllOfIt) {
  const TopologyStructure structure = StructureOf(GraphOf(1, {}));
  EXPECT_EQ(structure.levels, 1U);
  EXPECT_EQ(structure.components, 1U);
  EXPECT_EQ(structure.groups.size(), 1U);
  EXPECT_TRUE(structure.bottlenecks.empty());
}

TEST(Structure, AChainOfTenThousandNeedsNoDeepStack) {
  ServiceGraphBuilder builder;
  for (std::size_t i = 0; i < kTopologyServicesMax; ++i) {
    const Result<ServiceVertex> service = builder.Service("s" + std::to_string(i));
    ASSERT_TRUE(service.ok());
    if (i > 0) {
      ASSERT_TRUE(builder.Call(static_cast<ServiceVertex>(i - 1), service.value()).ok());
    }
  }
  const TopologyStructure structure = StructureOf(std::move(builder).Build());
  EXPECT_EQ(structure.levels, kTopologyServicesMax);
  EXPECT_EQ(structure.services.back().upstream, kTopologyServicesMax - 1);
}

// Who reaches whom, by Warshall's algorithm: the slow and obvious way to all of the above.
class ReachTable {
 public:
  explicit ReachTable(const ServiceGraph& graph) : n_(graph.size()), reach_(n_ * n_, false) {
    for (const CallEdge& edge : graph.edges()) At(ToIndex(edge.caller), ToIndex(edge.callee), true);
    for (std::size_t k = 0; k < n_; ++k) {
      for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t j = 0; j < n_; ++j) {
          if (At(i, k) && At(k, j)) At(i, j, true);
        }
      }
    }
  }
  bool At(std::size_t i, std::size_t j) const { return reach_[i * n_ + j]; }
  bool Together(std::size_t i, std::size_t j) const { return i == j || (At(i, j) && At(j, i)); }

 private:
  void At(std::size_t i, std::size_t j, bool reaches) { reach_[i * n_ + j] = reaches; }
  std::size_t n_;
  std::vector<bool> reach_;
};

// The longest way by trying all: of a few services only.
std::size_t LongestTo(const ServiceGraph& graph, const ReachTable& reach, std::size_t to) {
  std::size_t longest = 0;
  for (const CallEdge& edge : graph.edges()) {
    const std::size_t caller = ToIndex(edge.caller);
    if (!reach.Together(ToIndex(edge.callee), to) || reach.Together(caller, to)) continue;
    longest = std::max(longest, LongestTo(graph, reach, caller) + 1);
  }
  return longest;
}

TEST(Structure, IsWhatTryingEverythingFinds) {
  Rng rng(5);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 1 + rng.Below(8);
    std::vector<std::pair<std::size_t, std::size_t>> calls;
    const std::size_t edges = rng.Below(2 * n + 1);
    for (std::size_t i = 0; i < edges; ++i) calls.emplace_back(rng.Below(n), rng.Below(n));
    const ServiceGraph graph = GraphOf(n, calls);
    const TopologyStructure structure = StructureOf(graph);
    const ReachTable reach(graph);
    const StrongComponents strong = StrongComponentsOf(graph);
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t upstream = 0;
      for (std::size_t j = 0; j < n; ++j) {
        upstream += i != j && reach.At(j, i) ? 1 : 0;
        EXPECT_EQ(strong.of[i] == strong.of[j], reach.Together(i, j));
        if (reach.At(i, j)) EXPECT_GE(strong.of[i], strong.of[j]);
      }
      EXPECT_EQ(structure.services[i].upstream, upstream) << round;
      EXPECT_EQ(structure.services[i].level, LongestTo(graph, reach, i)) << round;
    }
  }
}

}  // namespace
}  // namespace berth
