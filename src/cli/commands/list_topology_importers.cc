#include "apptopo/open.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"

namespace berth {
namespace {

int RunListTopologyImporters(const Invocation& invocation, Console& console) {
  Table table{.title = "Topology importers", .columns = {{.name = "importer"}, {.name = "reads"}}};
  for (const TopologyImporterEntry& entry : BuiltinTopologyImporters()) {
    table.rows.push_back({std::string(entry.name), std::string(entry.summary)});
  }
  return PrintTable(invocation, console, std::move(table));
}

}  // namespace

Command ListTopologyImporters() {
  return {.words = "list topology-importers",
          .summary = "list the formats that `berth topology` reads as IMPORTER:FILE",
          .arguments = {},
          .options = {kJsonOption},
          .examples = {"berth list topology-importers"},
          .run = RunListTopologyImporters};
}

}  // namespace berth
