#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "forecast/aggregator.h"
#include "forecast/correlator.h"
#include "forecast/filter.h"

namespace berth {
namespace {

int RunListOperations(const Invocation& invocation, Console& console) {
  Table table{.title = "Operations on series",
              .columns = {{.name = "kind"}, {.name = "name"}, {.name = "what it does"}}};
  const auto add = [&](std::string_view kind, const auto& entries) {
    for (const auto& entry : entries) {
      table.rows.push_back(
          {std::string(kind), std::string(entry.name), std::string(entry.summary)});
    }
  };
  add("filter", BuiltinFilters());
  add("aggregator", BuiltinAggregators());
  add("correlator", BuiltinCorrelators());
  return PrintTable(invocation, console, std::move(table));
}

}  // namespace

Command ListOperations() {
  return {.words = "list operations",
          .summary = "list what `berth series` can do to series",
          .arguments = {},
          .options = {kJsonOption},
          .examples = {"berth list operations"},
          .run = RunListOperations};
}

}  // namespace berth
