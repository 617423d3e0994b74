#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/fleet_reader.h"
#include "cli/output.h"

namespace berth {
namespace {

int RunGetDecisions(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<FleetReader>> fleet = OpenFleet(invocation);
  if (!fleet.ok()) return console.Fail(fleet.status());
  const auto listed = fleet.value()->Decisions(invocation.Number("--limit"));
  if (!listed.ok()) return console.Fail(listed.status());
  Table table{.title = "Decisions, latest first",
              .columns = {{.name = "decision"},
                          {.name = "at"},
                          {.name = "kind"},
                          {.name = "subject"},
                          {.name = "outcome"}}};
  for (const auto& item : listed.value().items) {
    const v1::Decision& decision = item.decision();
    table.rows.push_back({decision.id(),
                          FormatTime(Time(std::chrono::milliseconds(decision.at_ms()))),
                          decision.kind(), decision.subject(), item.summary()});
  }
  return PrintTable(invocation, console, std::move(table), listed.value().more);
}

}  // namespace

Command GetDecisions() {
  return {.words = "get decisions",
          .summary = "list the latest decisions with what came of them",
          .arguments = {},
          .options = {kReadStoreOption, kServerOption, kTokenOption, kCaOption, kCertOption,
                      kLimitOption, kJsonOption},
          .examples = {"berth get decisions --store berth-accepted --limit 10"},
          .run = RunGetDecisions};
}

}  // namespace berth
