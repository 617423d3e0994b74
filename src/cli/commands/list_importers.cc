#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "traces/open.h"

namespace berth {
namespace {

int RunListImporters(const Invocation& invocation, Console& console) {
  Table table{.title = "Importers", .columns = {{.name = "importer"}, {.name = "reads"}}};
  for (const ImporterEntry& entry : BuiltinImporters()) {
    table.rows.push_back({std::string(entry.name), std::string(entry.summary)});
  }
  return PrintTable(invocation, console, std::move(table));
}

}  // namespace

Command ListImporters() {
  return {.words = "list importers",
          .summary = "list the trace formats that --trace IMPORTER:FILE reads",
          .arguments = {},
          .options = {kJsonOption},
          .examples = {"berth list importers"},
          .run = RunListImporters};
}

}  // namespace berth
