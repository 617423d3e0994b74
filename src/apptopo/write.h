// A service graph as text that its importers read.
#pragma once

#include <string>

#include "apptopo/service_graph.h"

namespace berth {

// CSV for the importer `edges`.
std::string WriteEdgeList(const ServiceGraph& graph);

// A Compose file whose services wait for those that they call. Their names are such that Compose
// takes them: of drawn graphs, not of any.
std::string WriteComposeFile(const ServiceGraph& graph);

}  // namespace berth
