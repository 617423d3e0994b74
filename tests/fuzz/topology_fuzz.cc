// Whatever bytes a topology file holds, each importer answers with a graph within the bounds or
// with an error that names the file; what was read is written and reads back the same.
#include <string>

#include "apptopo/open.h"
#include "apptopo/structure.h"
#include "apptopo/write.h"
#include "berth/check.h"
#include "fuzz/target.h"

namespace {

using berth::Result;
using berth::ServiceGraph;
using berth::TopologyImporterEntry;

constexpr std::string_view kFile = "fuzz.topology";

void CheckReadsBack(const ServiceGraph& graph) {
  const Result<ServiceGraph> again = berth::BuiltinTopologyImporters()[0].read(
      {.text = berth::WriteEdgeList(graph), .file_name = std::string(kFile)});
  BERTH_CHECK(again.ok());
  BERTH_CHECK(again.value().size() == graph.size());
  BERTH_CHECK(again.value().edges().size() == graph.edges().size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  for (const TopologyImporterEntry& importer : berth::BuiltinTopologyImporters()) {
    const Result<ServiceGraph> graph =
        importer.read({.text = text, .file_name = std::string(kFile)});
    if (!graph.ok()) {
      BERTH_CHECK(graph.status().message().starts_with(kFile));
      continue;
    }
    BERTH_CHECK(berth::StructureOf(graph.value()).services.size() == graph.value().size());
    CheckReadsBack(graph.value());
  }
  return 0;
}
