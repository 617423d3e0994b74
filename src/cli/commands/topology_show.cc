#include <fmt/format.h>

#include <ostream>

#include "apptopo/open.h"
#include "cli/commands/builtin.h"
#include "report/table.h"
#include "report/topology_report.h"
#include "report/write.h"

namespace berth {
namespace {

int RunTopologyShow(const Invocation& given, Console& console) {
  const Result<ServiceGraph> read = ReadTopology(given.Text("FILE"));
  if (!read.ok()) return console.Fail(read.status());
  const ServiceGraph& graph = read.value();
  const TopologyStructure structure = StructureOf(graph);
  if (given.Has("--report")) {
    const Report report =
        TopologyReport(graph, structure, fmt::format("berth topology show {}", given.Text("FILE")));
    const Status status = WriteReport(given.Text("--report"), std::span(&report, 1));
    if (!status.ok()) return console.Fail(status);
  }
  if (given.Has("--json")) {
    console.out << ToJson(graph, structure);
    return kExitOk;
  }
  bool first = true;
  for (const Table& table : TopologyTables(graph, structure)) {
    console.out << (first ? "" : "\n") << FormatTable(table);
    first = false;
  }
  if (given.Has("--report")) {
    console.out << fmt::format("\nReport: {0}/report.html, {0}/report.json\n",
                               given.Text("--report"));
  }
  return kExitOk;
}

}  // namespace

Command TopologyShow() {
  return {.words = "topology show",
          .summary = "show who calls whom: fan-in and fan-out, bottlenecks, groups, cycles",
          .arguments = {{"FILE",
                         "edges (CSV), a Compose file (.yml, .yaml) or Jaeger traces "
                         "(.json), or IMPORTER:FILE"}},
          .options = {{"--report", "DIR", "write report.html and report.json there"}, kJsonOption},
          .examples = {"berth topology show testdata/apptopo/shop.yaml",
                       "berth topology show testdata/apptopo/traces.json --report "
                       "berth-report-topology"},
          .run = RunTopologyShow};
}

}  // namespace berth
