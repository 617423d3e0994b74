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
  table.rows.push_back({"NAME+outliers", "any of these, of the series without its outliers"});
  table.rows.push_back(
      {"NAME+garch", "any of these, its bands by the variance that GARCH foresees of its errors"});
  table.rows.push_back({"NAME+outliers+garch", "both"});
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
