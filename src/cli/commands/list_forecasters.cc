#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "forecast/forecaster.h"

namespace berth {
namespace {

int RunListForecasters(const Invocation& invocation, Console& console) {
  Table table{.title = "Forecasters",
              .columns = {{.name = "method"}, {.name = "what it foresees"}}};
  for (const ForecasterEntry& entry : BuiltinForecasters()) {
    table.rows.push_back({std::string(entry.name), std::string(entry.summary)});
  }
  return PrintTable(invocation, console, std::move(table));
}

}  // namespace

Command ListForecasters() {
  return {.words = "list forecasters",
          .summary = "list the methods that `berth forecast` knows",
          .arguments = {},
          .options = {kJsonOption},
          .examples = {"berth list forecasters"},
          .run = RunListForecasters};
}

}  // namespace berth
