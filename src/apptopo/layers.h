// Where the services of a graph are drawn: callers before those they call, and few lines that
// cross.
#pragma once

#include <cstddef>
#include <vector>

#include "apptopo/service_graph.h"
#include "apptopo/structure.h"

namespace berth {

// The services of each level, in their places.
using ServiceLayers = std::vector<std::vector<ServiceVertex>>;

// Each service comes near the middle of those before, then after it, again and again; the order
// with the fewest crossings is kept.
ServiceLayers LayersToDraw(const ServiceGraph& graph, const TopologyStructure& structure);

// Pairs of edges between the same two layers that cross.
std::size_t CrossingsOf(const ServiceGraph& graph, const ServiceLayers& layers);

}  // namespace berth
