// What `berth topology` tells: tables for people, JSON for programs, a page with plots.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "apptopo/degree_tests.h"
#include "apptopo/service_graph.h"
#include "apptopo/structure.h"
#include "report/report.h"

namespace berth {

// In the order in which they are to be read: the whole, its services, groups and cycles.
std::vector<Table> TopologyTables(const ServiceGraph& graph, const TopologyStructure& structure);

// Larger ones are not drawn: nobody could read it.
inline constexpr std::size_t kDrawnServicesMax = 300;
inline constexpr std::size_t kDrawnEdgesMax = 1'500;

Report TopologyReport(const ServiceGraph& graph, const TopologyStructure& structure,
                      std::string command);

// {"services": [{"service", "fan_in", "fan_out", "upstream", "level", "group", "bottleneck"}],
//  "calls": [{"caller", "callee", "calls"}], "bottlenecks": [service], "groups": [[service]],
//  "cycles": [[service]], "entries", "leaves", "levels", "components", "notes": [text]}; a group is
// named by its place in "groups", from 1.
std::string ToJson(const ServiceGraph& graph, const TopologyStructure& structure);

// An application whose degrees were tested, or left out because it has too few services.
struct TestedTopology {
  std::string file{};
  std::size_t services = 0;  // That call or are called.
  DegreeVerdicts at_one{};
  DegreeVerdicts at_two{};

  bool counts() const { return services >= kDegreeSampleMin; }
};

Table DegreeVerdictTable(std::span<const TestedTopology> tested);
// The form of the thesis's Table 8.1.
Table DegreeFormTable(std::span<const TestedTopology> tested);

// {"applications": [{"file", "services", "counts", "skewed", "skewed_threshold_2", "near_uniform",
//  "central"}], "threshold_1": {"skewed": {"total", "pure"}, ..., "other"}, "threshold_2": {...}};
// a verdict is {"fits", "p"}, and p is null where the shape decided.
std::string ToJson(std::span<const TestedTopology> tested);

}  // namespace berth
