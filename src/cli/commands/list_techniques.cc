#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "sim/tenants/technique.h"

namespace berth {
namespace {

int RunListTechniques(const Invocation& invocation, Console& console) {
  Table table{.title = "Techniques",
              .note =
                  "Each may be followed by @p50, @p80, @p90, @p95 or @p99, the percentile taken "
                  "for a tenant of which nothing is seen yet (otherwise 50), and by +oracle, or "
                  "if it is named prv_... by +truth: then the estimate knows every tenant's "
                  "future.",
              .columns = {{.name = "technique"}, {.name = "chooses"}}};
  for (const TechniqueEntry& entry : BuiltinTechniques()) {
    table.rows.push_back({std::string(entry.name), std::string(entry.summary)});
  }
  return PrintTable(invocation, console, std::move(table));
}

}  // namespace

Command ListTechniques() {
  return {.words = "list techniques",
          .summary = "list the ways to place tenants that `berth simulate tenants` compares",
          .arguments = {},
          .options = {kJsonOption},
          .examples = {"berth list techniques"},
          .run = RunListTechniques};
}

}  // namespace berth
