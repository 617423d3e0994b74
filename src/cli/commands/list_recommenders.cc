#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "rightsize/recommender.h"

namespace berth {
namespace {

int RunListRecommenders(const Invocation& invocation, Console& console) {
  Table table{.title = "Recommenders", .columns = {{.name = "recommender"}, {.name = "sets"}}};
  for (const RecommenderEntry& entry : Recommenders()) {
    table.rows.push_back({std::string(entry.name), std::string(entry.summary)});
  }
  table.rows.push_back({"weekly:NAME", "the same, but never less than a week ago"});
  table.rows.push_back({"external:PROGRAM", "what a program of yours says; see docs/external.md"});
  return PrintTable(invocation, console, std::move(table));
}

}  // namespace

Command ListRecommenders() {
  return {.words = "list recommenders",
          .summary = "list what can say how large instances should be",
          .arguments = {},
          .options = {kJsonOption},
          .examples = {"berth list recommenders"},
          .run = RunListRecommenders};
}

}  // namespace berth
