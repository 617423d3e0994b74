#include "apptopo/layers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "berth/rng.h"

namespace berth {
namespace {

ServiceGraph GraphOf(const std::vector<std::pair<std::string, std::string>>& calls) {
  ServiceGraphBuilder builder;
  for (const auto& [caller, callee] : calls) {
    const ServiceVertex from = builder.Service(caller).value();
    EXPECT_TRUE(builder.Call(from, builder.Service(callee).value()).ok());
  }
  return std::move(builder).Build();
}

std::vector<std::vector<std::string>> NamesIn(const ServiceGraph& graph,
                                              const ServiceLayers& layers) {
  std::vector<std::vector<std::string>> names;
  names.reserve(layers.size());
  for (const auto& layer : layers) {
    names.emplace_back();
    for (const ServiceVertex service : layer) names.back().push_back(graph.name(service));
  }
  return names;
}

TEST(ServiceLayers, LinesAreUntangled) {
  // As named, a-d crosses b-c.
  const ServiceGraph graph = GraphOf({{"front", "a"},
                                      {"front", "b"},
                                      {"a", "x"},
                                      {"b", "c"},
                                      {"a", "d"},
                                      {"x", "y"},
                                      {"c", "z"},
                                      {"d", "z"}});
  const TopologyStructure structure = StructureOf(graph);
  const ServiceLayers layers = LayersToDraw(graph, structure);
  EXPECT_EQ(CrossingsOf(graph, layers), 0U);
  EXPECT_EQ(NamesIn(graph, layers), (std::vector<std::vector<std::string>>{
                                        {"front"}, {"a", "b"}, {"x", "d", "c"}, {"y", "z"}}));
}

TEST(ServiceLayers, CrossingsByHand) {
  // Three callers of three, each the one opposite: every pair crosses.
  const ServiceGraph graph = GraphOf({{"a", "x"}, {"b", "y"}, {"c", "z"}});
  const auto at = [&](const char* name) {
    return static_cast<ServiceVertex>(std::ranges::find(graph.names(), name) -
                                      graph.names().begin());
  };
  const ServiceLayers crossed = {{at("a"), at("b"), at("c")}, {at("z"), at("y"), at("x")}};
  EXPECT_EQ(CrossingsOf(graph, crossed), 3U);
  const ServiceLayers straight = {{at("a"), at("b"), at("c")}, {at("x"), at("y"), at("z")}};
  EXPECT_EQ(CrossingsOf(graph, straight), 0U);
}

TEST(ServiceLayers, EveryServiceIsInItsLevelAndNoOrderIsMadeWorse) {
  Rng rng(11);
  std::size_t before = 0;
  std::size_t after = 0;
  for (int round = 0; round < 200; ++round) {
    ServiceGraphBuilder builder;
    std::vector<ServiceVertex> services;
    for (int i = 0; i < 12; ++i) {
      services.push_back(builder.Service("s" + std::to_string(i)).value());
    }
    for (int i = 0; i < 16; ++i) {
      const ServiceVertex from = services[rng.Below(12)];
      EXPECT_TRUE(builder.Call(from, services[rng.Below(12)]).ok());
    }
    const ServiceGraph graph = std::move(builder).Build();
    const TopologyStructure structure = StructureOf(graph);
    ServiceLayers as_named(structure.levels);
    for (std::size_t i = 0; i < graph.size(); ++i) {
      as_named[structure.services[i].level].push_back(static_cast<ServiceVertex>(i));
    }
    ServiceLayers layers = LayersToDraw(graph, structure);
    EXPECT_LE(CrossingsOf(graph, layers), CrossingsOf(graph, as_named));
    before += CrossingsOf(graph, as_named);
    after += CrossingsOf(graph, layers);
    for (auto& layer : layers) std::ranges::sort(layer);
    EXPECT_EQ(layers, as_named);
  }
  EXPECT_LT(2 * after, before);
}

}  // namespace
}  // namespace berth
