// Reading a topology by format and file, and which formats there are.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "apptopo/service_graph.h"
#include "berth/status.h"

namespace berth {

// `where` is IMPORTER:FILE, or FILE: .yml and .yaml are Compose files, .json is traces, and
// everything else a list of edges. At most 64 MB.
Result<ServiceGraph> ReadTopology(std::string_view where);

// What an importer is given: the whole text, and what errors call the file.
struct TopologyText {
  std::string_view text;
  std::string file_name;
};

struct TopologyImporterEntry {
  std::string_view name;
  std::string_view summary;
  Result<ServiceGraph> (*read)(const TopologyText& source);
};
// In the order of importers.def.
std::span<const TopologyImporterEntry> BuiltinTopologyImporters();

}  // namespace berth
