#include "apptopo/layers.h"

#include <algorithm>
#include <map>
#include <utility>

namespace berth {
namespace {

constexpr int kSweeps = 8;

struct DrawnPlace {
  std::size_t layer = 0;
  double height = 0;  // About the middle of the layer, where all are centred.
};

std::vector<DrawnPlace> PlacesIn(const ServiceLayers& layers, std::size_t services) {
  std::vector<DrawnPlace> places(services);
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const double middle = (static_cast<double>(layers[layer].size()) - 1) / 2;
    for (std::size_t i = 0; i < layers[layer].size(); ++i) {
      places[ToIndex(layers[layer][i])] = {.layer = layer,
                                           .height = static_cast<double>(i) - middle};
    }
  }
  return places;
}

// Sorts a layer by the mean height of the neighbours in other layers; who has none stays.
void SortLayer(std::vector<ServiceVertex>& layer,
               const std::vector<std::vector<ServiceVertex>>& neighbours,
               const std::vector<DrawnPlace>& places) {
  std::vector<std::pair<double, ServiceVertex>> wanted;
  wanted.reserve(layer.size());
  for (const ServiceVertex service : layer) {
    const DrawnPlace& own = places[ToIndex(service)];
    double sum = 0;
    std::size_t count = 0;
    for (const ServiceVertex other : neighbours[ToIndex(service)]) {
      if (places[ToIndex(other)].layer == own.layer) continue;
      sum += places[ToIndex(other)].height;
      ++count;
    }
    wanted.emplace_back(count == 0 ? own.height : sum / static_cast<double>(count), service);
  }
  std::ranges::stable_sort(wanted, {}, &std::pair<double, ServiceVertex>::first);
  for (std::size_t i = 0; i < layer.size(); ++i) layer[i] = wanted[i].second;
}

}  // namespace

std::size_t CrossingsOf(const ServiceGraph& graph, const ServiceLayers& layers) {
  const std::vector<DrawnPlace> places = PlacesIn(layers, graph.size());
  using Ends = std::pair<double, double>;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Ends>> between;
  for (const CallEdge& edge : graph.edges()) {
    DrawnPlace left = places[ToIndex(edge.caller)];
    DrawnPlace right = places[ToIndex(edge.callee)];
    if (left.layer == right.layer) continue;
    if (left.layer > right.layer) std::swap(left, right);
    between[{left.layer, right.layer}].emplace_back(left.height, right.height);
  }
  std::size_t crossings = 0;
  for (const auto& [pair, lines] : between) {
    for (std::size_t a = 0; a < lines.size(); ++a) {
      for (std::size_t b = a + 1; b < lines.size(); ++b) {
        const bool over_left = lines[a].first < lines[b].first;
        const bool under_left = lines[a].first > lines[b].first;
        crossings += (over_left && lines[a].second > lines[b].second) ||
                             (under_left && lines[a].second < lines[b].second)
                         ? 1U
                         : 0U;
      }
    }
  }
  return crossings;
}

ServiceLayers LayersToDraw(const ServiceGraph& graph, const TopologyStructure& structure) {
  ServiceLayers layers(structure.levels);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    layers[structure.services[i].level].push_back(static_cast<ServiceVertex>(i));
  }
  const auto callers = graph.Callers();
  const auto callees = graph.Callees();
  ServiceLayers best = layers;
  std::size_t fewest = CrossingsOf(graph, layers);
  for (int sweep = 0; sweep < kSweeps && fewest > 0; ++sweep) {
    const bool forward = sweep % 2 == 0;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const std::size_t layer = forward ? i : layers.size() - 1 - i;
      SortLayer(layers[layer], forward ? callers : callees, PlacesIn(layers, graph.size()));
    }
    const std::size_t crossings = CrossingsOf(graph, layers);
    if (crossings >= fewest) continue;
    fewest = crossings;
    best = layers;
  }
  return best;
}

}  // namespace berth
