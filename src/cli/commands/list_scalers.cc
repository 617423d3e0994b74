#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "scale/scaler.h"
#include "scale/smoother.h"

namespace berth {
namespace {

int RunListScalers(const Invocation& invocation, Console& console) {
  Table table{.title = "Scalers and smoothers",
              .columns = {{.name = "kind"}, {.name = "name"}, {.name = "counts"}}};
  for (const ScalerEntry& entry : Scalers()) {
    table.rows.push_back({"scaler", std::string(entry.name), std::string(entry.summary)});
  }
  table.rows.push_back(
      {"scaler", "external:PROGRAM", "what a program of yours says; see docs/external.md"});
  for (const SmootherEntry& entry : Smoothers()) {
    table.rows.push_back({"smoother", std::string(entry.name), std::string(entry.summary)});
  }
  return PrintTable(invocation, console, std::move(table));
}

}  // namespace

Command ListScalers() {
  return {.words = "list scalers",
          .summary = "who can say how many replicas a service should have, and what smooths that",
          .arguments = {},
          .options = {kJsonOption},
          .examples = {"berth list scalers"},
          .run = RunListScalers};
}

}  // namespace berth
