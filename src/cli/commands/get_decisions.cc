#include "allocate/explain.h"
#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/read_store.h"

namespace berth {
namespace {

int Run(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<StoreReader>> reader = StoreReader::Open(invocation.Text("--store"));
  if (!reader.ok()) return console.Fail(reader.status());
  const std::vector<Decision> decisions =
      reader.value()->LatestDecisions(invocation.Number("--limit"));
  Table table{.title = "Decisions, latest first",
              .columns = {{.name = "decision"},
                          {.name = "at"},
                          {.name = "kind"},
                          {.name = "subject"},
                          {.name = "outcome"}}};
  for (const Decision& decision : decisions) {
    table.rows.push_back({ToString(decision.id), FormatDuration(decision.at.time_since_epoch()),
                          std::string(ToString(decision.kind)), decision.subject,
                          SummarizeDecision(decision)});
  }
  const std::size_t shown = table.rows.size();
  return PrintTable(invocation, console, std::move(table), shown);
}

}  // namespace

Command GetDecisions() {
  return {.words = "get decisions",
          .summary = "list the latest decisions with what came of them",
          .arguments = {},
          .options = {kStoreOption, kLimitOption, kJsonOption},
          .examples = {"berth get decisions --store berth-accepted --limit 10"},
          .run = Run};
}

}  // namespace berth
